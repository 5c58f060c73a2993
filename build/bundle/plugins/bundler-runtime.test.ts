import { expect, it, vi } from 'vitest';

import { createRuntimePlugin } from './bundler-runtime.ts';

function transform(code: string, options?: Parameters<typeof createRuntimePlugin>[0]): unknown {
  const { transform: hook } = createRuntimePlugin(options);
  const handler = typeof hook === 'object' ? hook.handler : undefined;
  return Reflect.apply(handler ?? (() => undefined), {}, [code, '\0rolldown/runtime.js']);
}

const UNKNOWN = 'export var __esmMin = (fn) => fn;\nexport var other = 1;\n';

it('fails the export when the bundler has a different runtime', () => {
  expect(() => transform(UNKNOWN)).toThrow('does not know the runtime of this rolldown');
});

it('leaves a different runtime of another bundler as it is, and says so', () => {
  const onUnknown = vi.fn();
  expect(transform(UNKNOWN, { onUnknown })).toBeUndefined();
  expect(onUnknown).toHaveBeenCalledOnce();
});

it.each([
  ['rolldown 1.2', '(all, no_symbols)', '!no_symbols'],
  ['rolldown 1.3, of Vite 8.4', '(all, flags)', '!(flags & 1)'],
])('marks the objects of `import * as` with the runtime of %s', (_, parameters, condition) => {
  const head = 'export var __esmMin = (fn, res, err) => () => 1;\nexport var __commonJSMin = (cb, mod) => () => 1;\n';
  const all = `export var __exportAll = ${parameters} => {\n  if (${condition}) {\n    mark();\n  }\n};\n`;
  const { code } = transform(head + all) as { code: string };
  expect(code).toContain('=> {\n  {\n    mark();\n  }\n};\n');
});
