import { execFileSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { callGet, createFolder, exportFiles, loadModule } from '../fixtures/create-project.ts';

const json = (value: string): string => `export const GET = async () => Response.json(${value});\n`;

/** All the code of a server build. */
async function readServerCode(outputDir: string): Promise<string> {
  const folder = path.join(outputDir, 'server/_appkit');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n');
}

const alone = { name: 'by itself', beside: {} };
const sharing = {
  name: 'next to one that needs the same modules',
  beside: { 'app/beside/it+api.ts': "export * from '../a+api';" },
};

it('a route is CommonJS in TypeScript if it has export =, also with imports of types', async () => {
  const { outputDir, manifest, warnings } = await exportFiles({
    'lib/word.ts': "import type { Stats } from 'node:fs';\nconst word: string | Stats = 'word';\nexport = { word };",
    'app/a+api.ts':
      "import type {\n  Stats,\n} from 'node:fs';\nimport lib = require('../lib/word.ts');\nconst GET = async (): Promise<Response> => Response.json(lib.word);\nexport = { GET };",
  });
  expect(warnings).toEqual([]);
  expect(manifest.routes.map(({ methods }) => methods)[0]).toEqual(['GET']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('word');
});

it.each(['<Routes>{ GET }', '{ GET }!', '({ GET })', '(<Routes>({ GET } as Routes))! satisfies Routes'])(
  'a route in TypeScript may name its handlers in export = %s',
  async (value) => {
    const { outputDir, manifest } = await exportFiles({
      'app/a+api.ts': `type Routes = { GET(): Response };\nconst GET = () => Response.json('word');\nexport = ${value};`,
    });
    expect(manifest.routes.map(({ methods }) => methods)[0]).toEqual(['GET']);
    expect(await callGet(outputDir, 'a+api.js')).toBe('word');
  },
);

describe.each([alone, sharing])('a bundled route $name', ({ beside }) => {
  const exportRoute: typeof exportFiles = (files, options) => exportFiles({ ...files, ...beside }, options);

  it('carries ES and CommonJS dependencies', async () => {
    const { outputDir } = await exportRoute({
      'node_modules/esm/package.json': '{"name":"esm","type":"module","exports":"./index.js"}',
      'node_modules/esm/index.js': 'export const name = "esm"; export default () => "esm default";',
      'node_modules/cjs/package.json': '{"name":"cjs","main":"main.js"}',
      'node_modules/cjs/main.js': 'exports.name = "cjs"; exports.bare = require("fs") === require("node:fs");',
      'app/a+api.ts': `import esm, { name } from 'esm';\nimport cjs from 'cjs';\n${json('[esm(), name, cjs.name, cjs.bare]')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual(['esm default', 'esm', 'cjs', true]);
  });

  it('keeps what it imports later in a chunk', async () => {
    const { outputDir, files } = await exportRoute({
      'lib/later.ts': 'export const later = "later";',
      'app/a+api.ts': json("(await import('../lib/later.ts')).later"),
    });
    expect(await callGet(outputDir, 'a+api.js')).toBe('later');
    const names = files.map((file) => file.path.replace(/-[\da-f]+\.js/, '-hash.js'));
    expect(names).toContain('server/_appkit/chunks/later-hash.js');
    expect(names).toContain('server/_appkit/chunks/later-hash.js.map');
    expect(await readFile(path.join(outputDir, 'server/_appkit/functions/a+api.js'), 'utf8')).not.toContain('"later"');
  });

  it('keeps a call that is made for its error alone', async () => {
    const fails = (call: string): string => `(() => { try { ${call}; return false; } catch { return true; } })()`;
    const { outputDir } = await exportRoute({
      'app/a+api.ts': json(
        `[${['decodeURIComponent("%")', 'decodeURI("%")', 'encodeURIComponent("\\ud800")', 'encodeURI("\\ud800")', 'String({ toString: null, valueOf: null })'].map(fails).join(', ')}]`,
      ),
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual([true, true, true, true, true]);
  });

  it('knows the location of its own file through import.meta', async () => {
    const { outputDir } = await exportRoute({
      'app/a+api.ts': json('[import.meta.url, import.meta.dirname, import.meta.filename]'),
    });
    const [url, folder, file] = (await callGet(outputDir, 'a+api.js')) as string[];
    // Imported by another route, it is shared.
    const own = /\/_appkit\/(?:functions\/a\+api|chunks\/a_api-[\da-f]+)\.js$/;
    expect([url, folder]).toEqual([`file://${file}`, path.dirname(file ?? '')]);
    expect(file).toMatch(own);
  });

  it('knows an object of exports as a module, and spends no code on its own', async () => {
    const { outputDir } = await exportRoute({
      'lib/named.ts': 'export const named = 1;',
      'app/a+api.ts': `import * as all from '../lib/named.ts';\n${json('[Object.prototype.toString.call(all), all]')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual(['[object Module]', { named: 1 }]);
    expect((await readServerCode(outputDir)).split('Symbol.toStringTag')).toHaveLength(2);
  });

  it('imports JSON, by attribute and without', async () => {
    const { outputDir } = await exportRoute({
      'data.json': '{"answer":42}',
      'app/a+api.ts': `import a from '../data.json';\nimport b from '../data.json' with { type: 'json' };\n${json('[a, b]')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual([{ answer: 42 }, { answer: 42 }]);
  });

  it('follows the paths of tsconfig.json', async () => {
    const { outputDir } = await exportRoute({
      'tsconfig.json': '{"compilerOptions":{"paths":{"@/*":["./source/*"]}}}',
      'source/x.ts': 'export const x: number = 7;',
      'app/a+api.ts': `import { x } from '@/x';\n${json('x')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toBe(7);
  });

  it('keeps Node built-ins outside, with and without node:', async () => {
    const { outputDir } = await exportRoute({
      'app/a+api.ts': `import { sep } from 'node:path';\nimport os from 'os';\nimport 'node:sqlite';\n${json('[sep, typeof os.cpus]')}`,
    });
    expect(await readServerCode(outputDir)).toContain('require("node:path")');
    expect(await callGet(outputDir, 'a+api.js')).toEqual([path.sep, 'function']);
  });

  it('reads every variable at run time, NODE_ENV too', async () => {
    const { outputDir } = await exportRoute({
      'app/a+api.ts': json('[process.env.NODE_ENV, process.env.APPKIT_BUILD_TEST, process.env["APPKIT_PUBLIC_TEST"]]'),
    });
    process.env['APPKIT_BUILD_TEST'] = 'set after the export';
    process.env['APPKIT_PUBLIC_TEST'] = 'public';
    const before = process.env['NODE_ENV'];
    try {
      process.env['NODE_ENV'] = 'staging';
      expect(await callGet(outputDir, 'a+api.js')).toEqual(['staging', 'set after the export', 'public']);
    } finally {
      process.env['NODE_ENV'] = before;
      delete process.env['APPKIT_BUILD_TEST'];
      delete process.env['APPKIT_PUBLIC_TEST'];
    }
  });

  it('keeps the names of classes and functions when minified', async () => {
    const { outputDir } = await exportRoute({
      'app/a+api.ts': `class QuotaError extends Error {}\nfunction helper() {}\n${json('[QuotaError.name, helper.name]')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual(['QuotaError', 'helper']);
  });

  it('keeps a missing package external when it is required in a try, and says so', async () => {
    const { outputDir, warnings } = await exportRoute({
      'node_modules/ws/index.js':
        'try { module.exports = require("not-installed"); } catch { module.exports = "without"; }',
      'app/a+api.ts': `import ws from 'ws';\n${json('ws')}`,
    });
    expect(await callGet(outputDir, 'a+api.js')).toBe('without');
    expect(warnings).toEqual([
      'node_modules/ws/index.js: not-installed is not installed. It is looked up at run time.',
    ]);
  });

  it('compiles JSX where tsconfig.json would preserve it', async () => {
    const { outputDir } = await exportRoute({
      'tsconfig.json': '{"compilerOptions":{"jsx":"preserve","jsxImportSource":"mail"}}',
      'node_modules/mail/jsx-runtime.js': 'exports.jsx = (tag, props) => ({ tag, ...props });',
      'app/a+api.tsx': json('<p>{"hi"}</p>'),
    });
    expect(await callGet(outputDir, 'a+api.js')).toEqual({ tag: 'p', children: 'hi' });
  });

  it('works from every source extension', async () => {
    const { outputDir, manifest } = await exportFiles({
      ...Object.fromEntries(
        ['ts', 'tsx', 'js', 'jsx', 'mts', 'mjs'].map((name) => [`app/${name}+api.${name}`, json('1')]),
      ),
      'app/cts+api.cts': 'exports.GET = () => Response.json(2);',
      'app/cjs+api.cjs': 'module.exports = { POST() {}, async GET() { return Response.json(3); } };',
    });
    expect(manifest.routes.map(({ pattern, methods }) => [pattern, methods])).toEqual([
      ['/cjs', ['GET', 'POST']],
      ['/cts', ['GET']],
      ['/js', ['GET']],
      ['/jsx', ['GET']],
      ['/mjs', ['GET']],
      ['/mts', ['GET']],
      ['/ts', ['GET']],
      ['/tsx', ['GET']],
    ]);
    expect(await callGet(outputDir, 'cts+api.js')).toBe(2);
    expect(await callGet(outputDir, 'cjs+api.js')).toBe(3);
  });

  it('exports what comes through export * and destructuring', async () => {
    const { manifest } = await exportRoute({
      'lib/handlers.ts': 'export const GET = () => {}; export const helper = 1;',
      'app/a+api.ts': "export * from '../lib/handlers.ts'; export const { POST, PUT } = { POST() {}, PUT() {} };",
    });
    expect(manifest.routes[0]?.methods).toEqual(['GET', 'POST', 'PUT']);
  });
});

describe('source maps', () => {
  const files = {
    'lib/fail.ts': 'export function fail() {\n  throw new Error("x");\n}\n',
    'app/[id]/a b+api.ts': "import { fail } from '../../lib/fail.ts';\nexport const GET = async () => fail();\n",
  };

  it('name sources by their place in the project and do not contain them', async () => {
    const { outputDir } = await exportFiles(files);
    const map = JSON.parse(
      await readFile(path.join(outputDir, 'server/_appkit/functions/[id]/a b+api.js.map'), 'utf8'),
    );
    expect(map).toMatchObject({ sourceRoot: '../../../../../', sources: ['app/[id]/a b+api.ts'] });
    expect(map).not.toHaveProperty('sourcesContent');
  });

  it('lead Node from a stack trace to the line of the source', async () => {
    const { outputDir, projectRoot } = await exportFiles(files);
    const script = `require(${JSON.stringify(path.join(outputDir, 'server/_appkit/functions/[id]/a b+api.js'))}).GET().catch((e) => console.log(e.stack))`;
    const trace = String(execFileSync(process.execPath, ['--enable-source-maps', '-e', script]));
    expect(trace).toContain(`${path.join(projectRoot, 'lib/fail.ts')}:2:`);
  });

  it('leave out the path to the project when the output is elsewhere', async () => {
    const { outputDir } = await exportFiles(files, { outputDir: path.join(await createFolder(), 'out') });
    const map = JSON.parse(
      await readFile(path.join(outputDir, 'server/_appkit/functions/[id]/a b+api.js.map'), 'utf8'),
    );
    expect(map).not.toHaveProperty('sourceRoot');
  });

  it('go into the bundle when inline', async () => {
    const { outputDir } = await exportFiles(files, { sourceMaps: 'inline' });
    const file = path.join(outputDir, 'server/_appkit/functions/[id]/a b+api.js');
    expect(await readFile(file, 'utf8')).toMatch(
      /\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,\S+\n$/,
    );
    await expect(stat(`${file}.map`)).rejects.toThrow('ENOENT');
  });

  it('are left out altogether when off', async () => {
    const { outputDir } = await exportFiles(files, { sourceMaps: false });
    const file = path.join(outputDir, 'server/_appkit/functions/[id]/a b+api.js');
    expect(await readFile(file, 'utf8')).not.toContain('sourceMappingURL');
    await expect(stat(`${file}.map`)).rejects.toThrow('ENOENT');
  });
});

it('loads middleware with its default export and its config', async () => {
  const { outputDir, manifest } = await exportFiles({
    'app/+middleware.ts':
      'export const config = { matcher: { patterns: ["/a"] } }; export default function middleware() {}',
  });
  expect(manifest.middleware).toEqual({ file: '_appkit/functions/+middleware.js' });
  expect(loadModule(outputDir, '+middleware.js')).toMatchObject({ config: { matcher: { patterns: ['/a'] } } });
  expect(loadModule(outputDir, '+middleware.js')['default']).toBeTypeOf('function');
});
