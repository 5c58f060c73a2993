import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createProject, exportFiles, exportProblems } from './fixtures/create-project.ts';
import { ExportError, exportApp } from './index.ts';
import type { Problem } from './index.ts';

const GET = 'export const GET = () => new Response();\n';

function toPlaces(problems: readonly Problem[]): string[] {
  return problems.map(({ file, line, column, message }) => `${file}:${line}:${column} ${message}`);
}

describe('an app that cannot be exported', () => {
  it('is refused with every problem of every file, whatever stage finds it', async () => {
    const problems = await exportProblems({
      'app.json': '{"web":{"output":"spa"}}',
      'app/web+api.web.ts': GET,
      'app/page.tsx': 'export const Page = () => null;',
      'app/syntax+api.ts': 'export function GET() {\n  return new Response(;\n}\n',
      'app/many+api.ts': [
        "import './missing.ts';",
        "import pkg from 'not-a-package';",
        "import { nothing } from '../lib/lib.ts';",
        "import '../lib/broken.ts';",
        "import '../lib/waits.ts';",
        'export const get = () => [pkg, nothing];',
        'export default get;',
      ].join('\n'),
      'lib/lib.ts': 'export const something = 1;',
      'lib/broken.ts': 'const = 1;\n',
      'lib/waits.ts': '\nexport const x = await fetch("http://localhost");\n',
    });
    expect(toPlaces(problems)).toEqual([
      'app.json:undefined:undefined The key web.output is "spa".',
      "app/many+api.ts:1:8 Nothing was found for './missing.ts'.",
      "app/many+api.ts:2:17 Nothing was found for 'not-a-package'.",
      'app/many+api.ts:3:10 "nothing" is not exported by "lib/lib.ts".',
      'app/many+api.ts:6:14 The handler get is never called: methods are written in capitals.',
      'app/many+api.ts:7:8 A route has no default export: each method has its own handler.',
      'app/page.tsx:undefined:undefined Every source file in the routes folder that is not +api is a page, and this one has no default export.',
      'app/syntax+api.ts:2:23 The file cannot be parsed: Unexpected token.',
      'app/web+api.web.ts:undefined:undefined Platform extensions do not work in route files.',
      'lib/broken.ts:1:7 The file cannot be parsed: Unexpected token.',
      'lib/waits.ts:2:18 Server code is exported as CommonJS, which does not support top-level await.',
    ]);
  });

  it('is refused with a message that lists the problems, one per line', async () => {
    const projectRoot = await createProject({ 'app/a+api.web.ts': GET, 'app/b+api.ts': 'export const Post = 1;' });
    await expect(exportApp({ projectRoot })).rejects.toThrow(
      new ExportError([
        {
          file: 'app/a+api.web.ts',
          message: 'Platform extensions do not work in route files.',
          fix: 'Rename it to a+api.ts.',
        },
        {
          file: 'app/b+api.ts',
          line: 1,
          column: 14,
          message: 'The handler Post is never called: methods are written in capitals.',
          fix: 'Rename it to POST.',
        },
      ]),
    );
    await expect(exportApp({ projectRoot })).rejects.toThrow(
      [
        '2 problems keep this app from being exported:',
        '  app/a+api.web.ts: Platform extensions do not work in route files. Rename it to a+api.ts.',
        '  app/b+api.ts:1:14: The handler Post is never called: methods are written in capitals. Rename it to POST.',
      ].join('\n'),
    );
  });

  it('is told about a route without a handler, and what it exports instead', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': 'export const handler = 1;',
      'app/b+api.ts': 'const x = 1;',
    });
    expect(problems.map(({ file, message }) => [file, message])).toEqual([
      ['app/a+api.ts', 'The route exports no handler, only handler.'],
      ['app/b+api.ts', 'The route exports no handler.'],
    ]);
  });

  it('is told how CommonJS has to export handlers', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': 'const handlers = { GET: () => new Response() };\nexport = handlers;',
    });
    expect(problems).toEqual([
      {
        file: 'app/a+api.ts',
        message: 'The route exports no handler.',
        fix: 'Name the handlers where they are exported, as in { GET, POST }: only what is written there is found.',
      },
    ]);
  });

  it('is told about a method, not about CommonJS, when a comment alone mentions it', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': '// Not `export = handlers`, nor `module.exports = handlers`.\nexport const handlers = {};',
    });
    expect(problems).toMatchObject([{ fix: 'Export a function named GET, POST or another method.' }]);
  });

  it('is told about middleware without a default export', async () => {
    const problems = await exportProblems({ 'app/+middleware.ts': 'export function middleware() {}' });
    expect(problems).toMatchObject([{ file: 'app/+middleware.ts', message: 'Middleware needs a default export.' }]);
  });

  it.each([true, false])('is told about misnamed routes and middleware, with ssg %s', async (ssg) => {
    const problems = await exportProblems(
      {
        'app/a+api.ts': GET,
        'app/_middleware.ts': 'export default () => {};',
        'app/Hello+API.ts': GET,
        'app/hello-api.ts': `const x = 1;\nasync function POST() {}\nexport { x, POST };`,
        'app/users/route.ts': GET,
        'app/old+api.backup.ts': "export { GET } from './a+api.ts';",
      },
      { ssg },
    );
    expect(problems.map(({ file, line, column, fix }) => [`${file}:${line}:${column}`, fix.split(',')[0]])).toEqual([
      ['app/Hello+API.ts:undefined:undefined', 'Rename it to Hello+api.ts'],
      ['app/_middleware.ts:undefined:undefined', 'Rename it to +middleware.ts'],
      ['app/hello-api.ts:3:13', 'Rename the file to hello+api.ts'],
      ['app/old+api.backup.ts:1:10', 'Rename the file to old+api.ts'],
      ['app/users/route.ts:1:14', 'Rename the file to index+api.ts'],
    ]);
  });

  it('gets no problem for files next to its routes that export no handler', async () => {
    const files = {
      'app/a+api.ts': GET,
      'app/actions.ts': "export const DELETE = 'delete';\nexport type GET = string;\nexport const POSTS = () => {};",
    };
    expect(await exportProblems(files, { ssg: false })).toEqual([]);
  });

  it('is told about handlers that no one can call', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': [
        'export const GET = 5;',
        'export class POST {}',
        'const put = { handler() {} } as unknown;',
        'export { put as PUT };',
        'export const DELETE = `text`, HEAD = [];',
        'export enum OPTIONS {}',
      ].join('\n'),
      'app/+middleware.ts': '\nexport default { matcher: {} };',
    });
    expect(toPlaces(problems)).toEqual([
      'app/+middleware.ts:2:8 The default export of middleware is an object, not a function.',
      'app/a+api.ts:1:14 The handler GET is a number, not a function.',
      'app/a+api.ts:2:14 The handler POST is a class, not a function.',
      'app/a+api.ts:4:17 The handler PUT is an object, not a function.',
      'app/a+api.ts:5:14 The handler DELETE is a string, not a function.',
      'app/a+api.ts:5:31 The handler HEAD is an array, not a function.',
      'app/a+api.ts:6:13 The handler OPTIONS is an enumeration, not a function.',
    ]);
    expect(problems[1]?.fix).toBe('Make it one: export function GET(request) { … }.');
  });

  it('gets no problem for handlers that may be functions', async () => {
    const { manifest } = await exportFiles({
      'lib/x.ts': 'export const make = () => () => new Response(); export default class {}',
      'app/a+api.ts': [
        "import { make } from '../lib/x.ts';",
        'const table = { get: make() };',
        'const put = () => new Response();',
        'export const GET = table.get;',
        'export const POST = make(), PATCH = (make as unknown) ?? 1;',
        'export { put as PUT };',
        'export let DELETE: unknown = null;',
        'DELETE = put;',
        'export const HEAD = async function* () {};',
        "export { make as OPTIONS } from '../lib/x.ts';",
      ].join('\n'),
      'app/+middleware.ts': 'const run = () => {};\nexport default run;',
    });
    expect(manifest.routes[0]?.methods).toHaveLength(7);
  });

  it('is told about a mistake in a shared module once', async () => {
    const problems = await exportProblems({
      'lib/x.ts': "import 'gone';",
      'app/a+api.ts': `import '../lib/x.ts';\n${GET}`,
      'app/b+api.ts': `import '../lib/x.ts';\n${GET}`,
    });
    expect(toPlaces(problems)).toEqual(["lib/x.ts:1:8 Nothing was found for 'gone'."]);
  });

  it('is told where to name a module that only a host has', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': `import { Database } from 'bun:sqlite';\nexport const GET = () => Response.json(typeof Database);`,
    });
    expect(problems).toMatchObject([
      {
        file: 'app/a+api.ts',
        message: "Nothing was found for 'bun:sqlite'.",
        fix: 'It is a module of the host: add bun:sqlite to external of appkit-router.',
      },
    ]);
    const ofBun = await exportProblems({
      'app/a+api.ts': "import { sql } from 'bun';\nexport const GET = () => Response.json(typeof sql);",
    });
    expect(ofBun).toMatchObject([{ fix: 'It is a module of the host: add bun to external of appkit-router.' }]);
  });

  it('is told what gives it the bindings of a Worker', async () => {
    const problems = await exportProblems({
      'app/a+api.ts': "import { env } from 'cloudflare:workers';\nexport const GET = () => Response.json(env);",
    });
    expect(problems).toMatchObject([
      {
        message: "Nothing was found for 'cloudflare:workers'.",
        fix: 'Use bindings() of appkit-server/adapter/cloudflare instead.',
      },
    ]);
  });

  it('is told about a package whose dependency is missing', async () => {
    const problems = await exportProblems({
      'node_modules/pkg/package.json': '{"name":"pkg","type":"module","exports":"./index.js"}',
      'node_modules/pkg/index.js': "import peer from 'peer';\nexport default peer;",
      'app/a+api.ts': `import pkg from 'pkg';\nexport const GET = () => pkg;`,
    });
    expect(problems).toMatchObject([{ file: 'node_modules/pkg/index.js', line: 1, fix: 'Install it: pkg needs it.' }]);
  });

  it('is told to put a package with a native addon into external', async () => {
    const problems = await exportProblems({
      'node_modules/hash/index.js': 'module.exports = require("./build/hash.node");',
      'node_modules/hash/build/hash.node': 'machine code',
      'node_modules/@db/sqlite/index.js': 'module.exports = require("bindings")("sqlite.node");',
      'node_modules/bindings/index.js': 'module.exports = () => {};',
      'app/a+api.ts': `import hash from 'hash';\nimport sqlite from '@db/sqlite';\nexport const GET = () => [hash, sqlite];`,
    });
    expect(problems.map(({ file, fix }) => [file, fix])).toEqual([
      [
        'node_modules/@db/sqlite/index.js',
        'Add it to the router plugin in the app config: ["appkit-router", { "external": ["@db/sqlite"] }].',
      ],
      [
        'node_modules/hash/index.js',
        'Add it to the router plugin in the app config: ["appkit-router", { "external": ["hash"] }].',
      ],
    ]);
  });

  it('is told so of an addon whose name its package puts together, as better-sqlite3 does', async () => {
    const load = (folder: string): string =>
      `const path = require('path');
module.exports = () => require(path.join(__dirname, '..', '${folder}', \`\${process.platform}.node\`));`;
    const problems = await exportProblems({
      'node_modules/database/lib/index.js': load('prebuilds'),
      'node_modules/database/package.json': '{"name":"database","main":"lib/index.js"}',
      'node_modules/database/prebuilds/linux.node': 'machine code',
      'node_modules/fallback/lib/index.js': load('prebuilds'),
      'node_modules/fallback/package.json': '{"name":"fallback","main":"lib/index.js"}',
      'app/a+api.ts': `import one from 'database';\nimport two from 'fallback';\nexport const GET = () => [one, two];`,
    });
    expect(problems).toEqual([
      {
        file: 'node_modules/database/lib/index.js',
        message: 'The package database loads a native addon, which cannot be bundled.',
        fix: 'Add it to the router plugin in the app config: ["appkit-router", { "external": ["database"] }].',
      },
    ]);
  });

  it('is told which imported file is neither code nor data', async () => {
    const problems = await exportProblems({
      'lib/x.css': 'a {}',
      'app/a+api.ts': `import '../lib/x.css';\n${GET}`,
    });
    expect(problems).toMatchObject([
      { file: 'app/a+api.ts', message: expect.stringContaining('not JavaScript, TypeScript, JSON or text') },
    ]);
  });

  it('is told which file has another encoding, as shells on Windows write', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': `import '../lib/x.ts';\n${GET}`, 'lib/y.ts': '' });
    await writeFile(path.join(projectRoot, 'lib/x.ts'), Buffer.from('\uFEFFexport {};', 'utf16le'));
    await expect(exportApp({ projectRoot })).rejects.toThrow(
      'app/a+api.ts:1:8: Could not load lib/x.ts: it is not UTF-8. Save that file as UTF-8.',
    );
  });

  it('is told which package.json is not JSON', async () => {
    expect(await exportProblems({ 'package.json': '{\n  "type": "module"\n', 'app/a+api.ts': GET })).toEqual([
      {
        file: 'package.json',
        line: expect.any(Number),
        column: expect.any(Number),
        message: expect.stringMatching(/^This is not JSON: EOF while parsing an object/),
        fix: 'Correct the syntax.',
      },
    ]);
    const problems = await exportProblems({
      'lib/package.json': '<<<<<<< HEAD',
      'lib/x.ts': '',
      'node_modules/dep/package.json': '',
      'node_modules/dep/index.js': '',
      'app/a+api.ts': `import '../lib/x.ts';\nimport 'dep';\n${GET}`,
    });
    expect(problems).toEqual([
      { file: 'lib/package.json', message: 'This is not JSON.', fix: 'Correct the syntax.' },
      { file: 'node_modules/dep/package.json', message: 'This is not JSON.', fix: 'Install the package again.' },
    ]);
  });

  it('is told about a package.json that is not JSON by an app with pages too', async () => {
    const [problem] = await exportProblems({ 'package.json': '{', 'app/index.tsx': 'export default () => null;' });
    expect(problem).toEqual({ file: 'package.json', message: 'This is not JSON.', fix: 'Correct the syntax.' });
  });

  it('is told how to import WebAssembly', async () => {
    const problems = await exportProblems({
      'lib/x.wasm': '\0asm\u0001\0\0\0',
      'app/a+api.ts': `import x from '../lib/x.wasm';\nexport const GET = () => x;`,
    });
    expect(problems).toEqual([
      {
        file: 'lib/x.wasm',
        line: 1,
        column: 1,
        message: 'It is WebAssembly, which the bundler cannot import.',
        fix: 'Import it with ?inline, which gives its bytes as a data: URL, and instantiate these.',
      },
    ]);
  });

  it('is told how to import WebAssembly with ?init, which only Vite knows', async () => {
    const problems = await exportProblems({
      'lib/x.wasm': '\0asm\u0001\0\0\0',
      'app/a+api.ts': `import init from '../lib/x.wasm?init';\nexport const GET = () => init();`,
    });
    expect(problems).toMatchObject([
      {
        file: 'app/a+api.ts',
        message: expect.stringMatching(/^Could not load lib.x\.wasm\?init: it is WebAssembly/),
        fix: 'Import it with ?inline, which gives its bytes as a data: URL, and instantiate these.',
      },
    ]);
  });

  it('is told where JSON is broken', async () => {
    const problems = await exportProblems({
      'lib/x.json': '{\n"a": }',
      'app/a+api.ts': `import x from '../lib/x.json';\nexport const GET = () => x;`,
    });
    expect(problems).toMatchObject([{ file: 'lib/x.json', line: 2 }]);
  });

  it('is told about a broken tsconfig.json once', async () => {
    const problems = await exportProblems({ 'tsconfig.json': '{ broken', 'app/a+api.ts': GET, 'app/b+api.ts': GET });
    expect(problems).toMatchObject([{ file: 'tsconfig.json', fix: 'Correct the tsconfig file.' }]);
    expect(problems).toHaveLength(1);
  });

  it('is told where routes belong when there are none', async () => {
    expect(await exportProblems({ 'package.json': '{}' })).toMatchObject([{ message: 'There is no routes folder.' }]);
  });

  it('is refused when the option root leaves the project or names no folder', async () => {
    const config = (root: string): string => JSON.stringify({ plugins: [['appkit-router', { root }]] });
    for (const root of ['..', '.', '../other', '/']) {
      expect(await exportProblems({ 'app.json': config(root) })).toMatchObject([
        { file: 'app.json', message: expect.stringContaining('not a folder inside the project') },
      ]);
    }
    expect(await exportProblems({ 'app.json': config('routes') })).toMatchObject([
      { file: 'app.json', message: expect.stringContaining('there is no such folder') },
    ]);
  });

  it('is refused when the project does not exist', async () => {
    await expect(exportApp({ projectRoot: '/nowhere/at/all' })).rejects.toThrow('The folder does not exist.');
  });

  // Windows has no such names.
  it.skipIf(path.sep === '\\')('is refused when bundlers cannot read the path of the project', async () => {
    const projectRoot = path.join(
      await createProject({ 'what?/app/a+api.ts': 'export const GET = () => 1;' }),
      'what?',
    );
    await expect(exportApp({ projectRoot })).rejects.toThrow(
      `${projectRoot}: Bundlers cannot read files below a folder with ? in its name. Rename that folder, or move the app out of it.`,
    );
  });
});
