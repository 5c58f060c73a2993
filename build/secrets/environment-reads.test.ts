import { parseSync } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';

import { findEnvironmentReads } from './environment-reads.ts';

function read(source: string): { names: string[]; isWhole: boolean } {
  const { names, whole } = findEnvironmentReads(parseSync('file.tsx', source).program);
  return { names: names.map(([name]) => name), isWhole: whole !== undefined };
}

describe('a variable that is read by a literal name', () => {
  it.each([
    'process.env.TOKEN;',
    "process.env['TOKEN'];",
    'process.env[`TOKEN`];',
    'process?.env?.TOKEN;',
    'process.env!.TOKEN;',
    '(process.env as Record<string, string>).TOKEN;',
    "globalThis['process']['env'].TOKEN;",
    'const { TOKEN } = process.env;',
    "const { 'TOKEN': token = '' } = process.env;",
    'const { env: { TOKEN } } = process;',
    'let TOKEN; ({ TOKEN } = process.env);',
    'function f({ TOKEN } = process.env) {}',
    "import { env } from 'node:process'; env.TOKEN;",
    "import { env as all } from 'process'; all.TOKEN;",
    'const { env } = process; env.TOKEN;',
    'const all = process.env; all.TOKEN;',
    "import proc from 'node:process'; const { env: all } = proc; all.TOKEN;",
    "const { TOKEN } = require('node:process').env;",
    "const { env } = await import('process'); env.TOKEN;",
    'process.env && process.env.TOKEN;',
    "typeof process.env; delete process.env.TOKEN; 'TOKEN' in process.env;",
  ])('%s', (source) => {
    expect(read(source)).toEqual({ names: ['TOKEN'], isWhole: false });
  });
});

describe('the environment that is read in other ways', () => {
  it.each([
    'process.env[name];',
    "process.env['TO' + 'KEN'];",
    'process.env[`${prefix}_TOKEN`];',
    '({ ...process.env });',
    'export const env = process.env;',
    'export const { env } = process;',
    'const all = process.env; parse(all);',
    'const all = process.env; export { all };',
    'const { TOKEN, ...others } = process.env;',
    'const { [name]: value } = process.env;',
    'parse(process.env);',
    'Object.keys(process.env);',
    'for (const name in process.env) use(name);',
    'const read = () => process.env;',
    '<Page {...process.env} />;',
    'use(process.env as Record<string, string>);',
    "import { env } from 'node:process'; parse({ env });",
    "import { env as all } from 'process'; all[name];",
    "export { env } from 'node:process';",
    'const { env } = process; parse(env);',
    'context.env[name];',
    'env[name];',
  ])('%s', (source) => {
    expect(read(source).isWhole).toBe(true);
  });
});

it('does not treat every member or key called env as the environment', () => {
  const source = `
    interface Context { env: string }
    const env = 1;
    const value = { env: 2, process: { other: env } };
    class Box { env = env }
    import.meta.env;
    ({ ...import.meta.env });
    const { name } = value;
  `;
  expect(read(source)).toEqual({ names: [], isWhole: false });
});
