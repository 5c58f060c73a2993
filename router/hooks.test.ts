import { expectTypeOf, it } from 'vitest';
import type { LoaderData } from './hooks.ts';

it('types data as what the loader returns, without a Response', () => {
  type Refused = Promise<Response | { title: string }>;
  expectTypeOf<LoaderData<() => { seen: Date }>>().toEqualTypeOf<{ seen: Date }>();
  expectTypeOf<LoaderData<() => Refused>>().toEqualTypeOf<{ title: string }>();
  expectTypeOf<LoaderData<() => undefined | Response>>().toEqualTypeOf<undefined>();
  // oxlint-disable-next-line typescript/no-explicit-any -- such as what JSON.parse() gives
  expectTypeOf<LoaderData<() => any>>().toBeAny();
  expectTypeOf<LoaderData<() => never>>().toEqualTypeOf<never>();
});

it('types data as unknown if the loader or the action returns nothing but a Response', () => {
  expectTypeOf<LoaderData<() => Response>>().toEqualTypeOf<unknown>();
  expectTypeOf<LoaderData<(request: Request) => Promise<Response>>>().toEqualTypeOf<unknown>();
});
