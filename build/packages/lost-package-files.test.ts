import { expect, it } from 'vitest';

import { exportFiles } from '../fixtures/create-project.ts';

const json = (value: string): string => `export const GET = async () => Response.json(${value});\n`;

/** The warnings of an export whose only route uses a package with this code, and with a file `data/list.txt`. */
async function warningsFor(code: string, type = 'commonjs'): Promise<string[]> {
  const { warnings } = await exportFiles({
    'node_modules/reader/package.json': JSON.stringify({ name: 'reader', type, main: 'lib/index.js' }),
    'node_modules/reader/lib/index.js': code,
    'node_modules/reader/data/list.txt': 'a',
    'node_modules/reader/data/list.json': '[]',
    'app/a+api.ts': `import * as reader from 'reader';\n${json('typeof reader.read')}`,
  });
  return warnings;
}

const start = 'const path = require("node:path"), fs = require("node:fs");\n';

it.each([
  ['join', `${start}exports.read = () => fs.readFileSync(path.join(__dirname, '..', 'data/list.txt'));`],
  ['resolve', `${start}exports.read = () => fs.readFileSync((0, path.resolve)(__dirname, "../data/list.txt"));`],
  ['+', `${start}exports.read = () => fs.readFileSync(__dirname + '/../data/list.txt');`],
  [
    'new URL',
    "import fs from 'node:fs';\nexport const read = () => fs.readFileSync(new URL('../data/list.txt', import.meta.url));",
    'module',
  ],
  [
    'import.meta.dirname',
    "import fs from 'node:fs';\nexport const read = () => fs.readFileSync(import.meta.dirname + '/../data/list.txt');",
    'module',
  ],
  ['a template', `${start}exports.read = () => fs.readFileSync(\`\${__dirname}/../data/list.txt\`);`],
])('warns of a package that reads a file of its own: by %s', async (_, code, type?: string) => {
  expect(await warningsFor(code, type)).toEqual([
    'reader needs its file data/list.txt at run time, which no bundle contains. Add reader to external of appkit-router.',
  ]);
});

it('warns of a package that requires a file of its own in a way that the bundler does not follow', async () => {
  const code = `import { createRequire } from 'node:module';
const load$ = createRequire(import.meta.url);
export const read = () => load$('../data/list.json');`;
  expect(await warningsFor(code, 'module')).toEqual([expect.stringContaining('reader needs its file data/list.json')]);
});

it.each([
  ['is not there', `${start}exports.read = () => path.join(__dirname, '../data/lost.txt');`],
  ['is a folder', `${start}exports.read = () => path.join(__dirname, '../data');`],
  ['is of somebody else', `${start}exports.read = (folder) => path.join(folder, '../data/list.txt');`],
])('says nothing of a file that %s', async (_, code) => {
  expect(await warningsFor(code)).toEqual([]);
});

it('says nothing of code that is not in the bundle', async () => {
  const { warnings } = await exportFiles({
    'node_modules/reader/package.json': '{"name":"reader","type":"module","sideEffects":false,"exports":"./index.js"}',
    'node_modules/reader/index.js': "export { read } from './read.js';\nexport const name = 'reader';",
    'node_modules/reader/read.js': "export const read = () => new URL('./list.txt', import.meta.url);",
    'node_modules/reader/list.txt': 'a',
    'app/a+api.ts': `import { name } from 'reader';\n${json('name')}`,
  });
  expect(warnings).toEqual([]);
});
