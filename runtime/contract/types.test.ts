import type { StandardSchemaV1 as Published } from '@standard-schema/spec';
import { type } from 'arktype';
import * as v from 'valibot';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../contract.ts';
import type { ContractTypes, StandardSchemaV1 } from '../contract.ts';

it('infers the types of schemas as Standard Schema does', () => {
  expectTypeOf<Published<string, number>>().toExtend<StandardSchemaV1<string, number>>();
  expectTypeOf<StandardSchemaV1<string, number>>().toExtend<Published<string, number>>();
});

it('gives the handler the types of its schemas', () => {
  contract(
    {
      input: {
        path: z.object({ id: z.coerce.number() }),
        query: v.object({ page: v.optional(v.string(), '1') }),
        body: type({ title: 'string', 'tags?': 'string[]' }),
      },
    },
    (request, values) => {
      expectTypeOf(request).toEqualTypeOf<Request>();
      expectTypeOf(values.path).toEqualTypeOf<{ id: number }>();
      expectTypeOf(values.query).toEqualTypeOf<{ page: string }>();
      expectTypeOf(values.body).toEqualTypeOf<{ title: string; tags?: string[] }>();
      // @ts-expect-error -- it has no schema
      void values.headers;
      return new Response();
    },
  );
  contract({}, (_request, { path }) => Response.json(path['id'] satisfies string | undefined));
});

it('requires the handler to return what its output accepts, or a Response', () => {
  const output = z.object({ title: z.string(), count: z.number().default(0) });
  contract({ output }, () => ({ title: 'a' }));
  contract({ output }, async () => new Response());
  contract({ output: { 404: z.string(), 201: output } }, () => ({ title: 'a' }));
  // @ts-expect-error -- the title is no number
  contract({ output }, () => ({ title: 1 }));
  // @ts-expect-error -- only the Responses of this status have this shape
  contract({ output: { 404: z.string(), 201: output } }, () => 'not found');
  // @ts-expect-error -- without an output, it returns a Response
  contract({}, () => ({ title: 'a' }));
  // @ts-expect-error -- a schema of no known part
  contract({ input: { cookies: output } }, () => new Response());
});

it('provides the types of requests and answers for its callers', () => {
  type Types = ContractTypes<
    { body: StandardSchemaV1<{ at: string }, { at: Date }> },
    { 200: StandardSchemaV1<unknown, { at: Date; run(): void; list: [Date, number] }>; 404: StandardSchemaV1<string> }
  >;
  expectTypeOf<Types['body']>().toEqualTypeOf<{ at: string }>();
  expectTypeOf<Types['query']>().toEqualTypeOf<undefined>();
  expectTypeOf<Types['output']>().toEqualTypeOf<{
    200: { at: string; run: undefined; list: [string, number] };
    404: string;
  }>();
});
