import { describe, expect, it } from 'vitest';

import { callGet, exportFiles, exportProblems } from '../../fixtures/create-project.ts';

const FILES = { 'lib/data.json': '["data"]', 'lib/mail/hi.ts': "export const text = 'hi';" };
const route = (expression: string, head = ''): Record<string, string> => ({
  ...FILES,
  'app/a+api.ts': `${head}\nexport const GET = async () => Response.json(${expression});\nconst name = () => process.title;\n`,
});

describe('a file that the bundler cannot find', () => {
  it.each([
    ['import.meta.glob', "Object.keys(import.meta.glob('../lib/mail/*.ts'))"],
    ['a path with a variable', '(await import(`../lib/mail/${name()}.ts`)).text'],
    ['a path that is put together', "(await import('../lib/mail/' + name() + '.ts')).text"],
    ['an alias with a variable', '(await import(`@/mail/${name()}.ts`)).text'],
  ])('is an error of the export: %s', async (_, expression) => {
    expect(await exportProblems(route(expression))).toMatchObject([
      { file: 'app/a+api.ts', line: 2, message: expect.stringContaining('Only Vite can bundle') },
    ]);
  });

  const createRequire = "import { createRequire } from 'node:module';\nconst load = createRequire(import.meta.url);";
  it.each([
    ['by its variable', "load('../lib/data.json')", createRequire, 3],
    ['directly', "Module.createRequire(__filename)('../lib/data.json')", "import Module from 'node:module';", 2],
  ])('is an error of the export: createRequire(), %s', async (_, expression, head, line) => {
    expect(await exportProblems(route(expression, head))).toMatchObject([
      { file: 'app/a+api.ts', line, message: expect.stringContaining('createRequire()') },
    ]);
  });

  it('is found in modules of the app, not in packages', async () => {
    const expression = "(await import('pkg')).load";
    const glob = 'export const load = () => import(`./${Date.now()}.js`);';
    const files = {
      ...route(expression, "import { all } from '../lib/all.ts';\nexport const HEAD = all;"),
      'lib/all.ts': "export const all = () => import.meta.glob('./*');",
      'node_modules/pkg/package.json': '{"name":"pkg","type":"module","exports":"./index.js"}',
      'node_modules/pkg/index.js': glob,
    };
    expect(await exportProblems(files)).toMatchObject([{ file: 'lib/all.ts', line: 1 }]);
  });
});

it('leaves names alone that are found at run time', async () => {
  const head = `import { createRequire } from 'node:module';
const load = createRequire(import.meta.url);
const ofProject = createRequire(process.cwd() + '/package.json');
const later = (name: string) => import(\`node:\${name}\`);`;
  const { outputDir } = await exportFiles(
    route(
      "[load('node:path').sep, ofProject('./package.json').name, (await later('os')).EOL, require('../lib/data.json')]",
      head,
    ),
  );
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['/', 'appkit-workspace', '\n', ['data']]);
});

it('warns of a URL of a file that an export does not have', async () => {
  const expression =
    "[new URL('../lib/data.json', import.meta.url).pathname.length > 0, new URL('./later.txt', import.meta.url).protocol, new URL('.', import.meta.url).protocol]";
  const { warnings } = await exportFiles(route(expression));
  expect(warnings).toEqual([
    "app/a+api.ts:2: An export has no ../lib/data.json here: import.meta.url names the bundled file. Import its text by '../lib/data.json?raw'.",
  ]);
});

it.each([
  ['join', "path.join(__dirname, '..', 'lib/data.json')", '__dirname'],
  ['resolve', "path.resolve(import.meta.dirname, '../lib/data.json')", 'import.meta.dirname'],
  ['+', "__dirname + '/../lib/data.json'", '__dirname'],
  ['a template', '`${import.meta.dirname}/../lib/data.json`', 'import.meta.dirname'],
  ['a template as a part', 'path.join(__dirname, `../lib/data.json`)', '__dirname'],
])('warns of a path of a file that an export does not have: by %s', async (_, expression, folder) => {
  const { warnings } = await exportFiles(route(expression, "import path from 'node:path';\nexport const HEAD = path;"));
  expect(warnings).toEqual([
    `app/a+api.ts:3: An export has no ../lib/data.json here: ${folder} is the folder of the bundled file. Import its text by '../lib/data.json?raw'.`,
  ]);
});

it('tells how to import bytes', async () => {
  const files = { ...route("new URL('logo.png', import.meta.url).href"), 'app/logo.png': 'bytes' };
  expect((await exportFiles(files)).warnings).toEqual([
    expect.stringContaining("Import it by './logo.png?inline', which gives its bytes as a data: URL."),
  ]);
});

it('says nothing of a __dirname of the own module that is another folder', async () => {
  const imports = "import path from 'node:path';\nconst __dirname = process.cwd();";
  expect((await exportFiles(route("path.join(__dirname, '../lib/data.json')", imports))).warnings).toEqual([]);
});

it('warns of a URL without a dot in front', async () => {
  const files = { ...route("new URL('mail.txt', import.meta.url).href"), 'app/mail.txt': 'hi' };
  expect((await exportFiles(files)).warnings).toEqual([
    expect.stringContaining("Import its text by './mail.txt?raw'."),
  ]);
});

it.each([
  ['that is not there', "path.join(__dirname, 'later.txt')"],
  ['with a part that only the run tells', "path.join(__dirname, '../lib', process.title)"],
  ['of another folder', "path.join(process.cwd(), '../lib/data.json')"],
])('says nothing of a path of a file %s', async (_, expression) => {
  const { warnings } = await exportFiles(route(expression, "import path from 'node:path';\nexport const HEAD = path;"));
  expect(warnings).toEqual([]);
});
