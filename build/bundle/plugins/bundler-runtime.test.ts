import { expect, it } from 'vitest';

import { createRuntimePlugin } from './bundler-runtime.ts';

it('fails the export when the bundler has a different runtime', () => {
  const { transform } = createRuntimePlugin();
  const handler = typeof transform === 'object' ? transform.handler : undefined;
  const run = (code: string): unknown =>
    Reflect.apply(handler ?? (() => undefined), {}, [code, '\0rolldown/runtime.js']);
  expect(() => run('export var __esmMin = (fn) => fn;')).toThrow('does not know the runtime of this rolldown');
});
