import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { callGet, createProject, exportFiles, loadModule } from '../fixtures/create-project.ts';
import { exportApp } from '../index.ts';

/** What modules log while they run. */
const LOG = 'globalThis.log = []; export const log = globalThis.log;';

const answer = (value: string): string => `export const GET = async () => Response.json(${value});\n`;

it('runs modules in the order of their imports, no matter which of them other routes share', async () => {
  const { outputDir } = await exportFiles({
    'lib/log.ts': LOG,
    'lib/first.ts': "import { log } from './log.ts'; log.push('first');",
    'lib/second.ts': "import { log } from './log.ts'; log.push('second'); export const second = 2;",
    'lib/third.cjs': "globalThis.log.push('third'); exports.third = 3;",
    'lib/fourth.ts': "import { log } from './log.ts'; log.push('fourth');",
    // b shares the second and the fourth module that a needs, and c the third.
    'app/a+api.ts': `import '../lib/first.ts'; import '../lib/second.ts'; import '../lib/third.cjs'; import '../lib/fourth.ts';
      import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/b+api.ts': `import '../lib/fourth.ts'; import '../lib/second.ts'; import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/c+api.ts': `import third from '../lib/third.cjs'; import { log } from '../lib/log.ts'; ${answer('[third, log]')}`,
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['first', 'second', 'third', 'fourth']);
  // Each has run once.
  expect(await callGet(outputDir, 'b+api.js')).toEqual(['first', 'second', 'third', 'fourth']);
  expect(await callGet(outputDir, 'c+api.js')).toEqual([{ third: 3 }, ['first', 'second', 'third', 'fourth']]);
});

it('runs nothing for a route that only another one imports', async () => {
  const { outputDir } = await exportFiles({
    'lib/log.ts': LOG,
    'lib/first.ts': "import { log } from './log.ts'; log.push('first');",
    'lib/second.ts': "import { log } from './log.ts'; log.push('second');",
    'app/a+api.ts': `import '../lib/first.ts'; import '../lib/second.ts'; import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/b+api.ts': `import '../lib/second.ts'; import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/c+api.ts': `import '../lib/first.ts'; ${answer('0')}`,
  });
  expect(await callGet(outputDir, 'b+api.js')).toEqual(['second']);
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['second', 'first']);
});

it('gives routes and middleware a single instance of the modules they share', async () => {
  const counts = "import { next } from '../lib/count.ts'; export const GET = async () => Response.json(next());";
  const { outputDir } = await exportFiles({
    'lib/count.ts': 'let count = 0; export const next = () => ++count;',
    'app/a+api.ts': counts,
    'app/b+api.ts': counts,
    'app/deep/[id]+api.ts': counts.replace('../', '../../'),
    'app/+middleware.ts': "import { next } from '../lib/count.ts'; export default () => Response.json(next());",
  });
  const seen = [];
  for (const file of ['a+api.js', 'a+api.js', 'b+api.js', 'deep/[id]+api.js'])
    seen.push(await callGet(outputDir, file));
  seen.push(await (await loadModule(outputDir, '+middleware.js')['default']?.())?.json());
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

/** The body of a function that tells which mode it is in. In sloppy mode it makes a global. */
const tellMode = (variable: string): string =>
  `{ try { ${variable} = 1; return 'sloppy'; } catch { return 'strict'; } }`;

it.each([true, false])('keeps each module in its own mode, minified: %s', async (minify) => {
  const name = (module: string): string => `leaked${module}${String(minify)}`;
  const { outputDir } = await exportFiles(
    {
      'lib/es.js': `import sloppy from './sloppy.cjs'; export function es({ a } = {}) ${tellMode(name('Es'))}
        export const through = () => [es(), ...sloppy.all()];`,
      'lib/sloppy.cjs': `const { strict } = require('./strict.cjs'); const later = require('./later.cjs');
        exports.sloppy = function () ${tellMode(name('Sloppy'))}; exports.all = () => [exports.sloppy(), strict(), later.sloppy()];`,
      'lib/later.cjs': `const other = require('./sloppy.cjs'); exports.sloppy = () => ${tellMode(name('Later'))};`,
      'lib/strict.cjs': `#!/usr/bin/env node\n// Its mode: \n/* strict */ 'use strict';\nexports.strict = () => ${tellMode(name('Strict'))};`,
      'lib/script.js': `${name('Script')} = 1;`,
      'app/a+api.ts': `import { through } from '../lib/es.js'; import '../lib/script.js'; ${answer('through()')}`,
      'app/b+api.ts': `import { through } from '../lib/es.js'; ${answer("[...through(), (await import('../lib/later.cjs')).sloppy()]")}`,
      'app/sloppy+api.js': `const es = require('../lib/sloppy.cjs'); const tell = () => ${tellMode(name('Route'))};
        exports.GET = async () => Response.json([tell(), ...es.all()]);`,
      'app/strict+api.js': `'use strict'; const es = require('../lib/es.js'); const tell = () => ${tellMode(name('StrictRoute'))};
        exports.GET = async () => Response.json([tell(), ...es.through()]);`,
    },
    { minify },
  );
  const libraries = ['strict', 'sloppy', 'strict', 'sloppy'];
  expect(await callGet(outputDir, 'a+api.js')).toEqual(libraries);
  expect(await callGet(outputDir, 'b+api.js')).toEqual([...libraries, 'sloppy']);
  expect(await callGet(outputDir, 'sloppy+api.js')).toEqual(['sloppy', 'sloppy', 'strict', 'sloppy']);
  expect(await callGet(outputDir, 'strict+api.js')).toEqual(['strict', ...libraries]);
  const names = await readdir(path.join(outputDir, 'server/_appkit/chunks'));
  expect(names.filter((file) => !/^[\w-]+-[\da-f]+\.js(?:\.map)?$/.test(file))).toEqual([]);
});

it('recognises an instance of a class across routes', async () => {
  const { outputDir } = await exportFiles({
    'node_modules/money/package.json': '{"name":"money","type":"module","exports":"./index.js"}',
    'node_modules/money/index.js': 'export class Money {}; export const made = [];',
    'app/a+api.ts': `import { made, Money } from 'money'; ${answer('made.push(new Money())')}`,
    'app/b+api.ts': `import { made, Money } from 'money'; ${answer('made.map((each) => each instanceof Money)')}`,
  });
  await callGet(outputDir, 'a+api.js');
  expect(await callGet(outputDir, 'b+api.js')).toEqual([true]);
});

it('keeps exports that change, and modules that import one another', async () => {
  const route = `import { count, increase } from '../lib/count.ts'; import { isEven } from '../lib/even.ts';
    ${answer('(increase(), [count, isEven(7), (await import("../lib/count.ts")).count])')}`;
  const { outputDir } = await exportFiles({
    'lib/count.ts': 'export let count = 0; export const increase = () => { count++; };',
    'lib/even.ts':
      "import { isOdd } from './odd.ts'; export function isEven(n) { return n === 0 || isOdd(n - 1); } export const zero = isOdd(1);",
    'lib/odd.ts': "import { isEven } from './even.ts'; export function isOdd(n) { return n !== 0 && isEven(n - 1); }",
    'app/a+api.ts': route,
    'app/b+api.ts': route,
    'app/c+api.ts': `import { isOdd } from '../lib/odd.ts'; ${answer('isOdd(7)')}`,
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([1, false, 1]);
  expect(await callGet(outputDir, 'b+api.js')).toEqual([2, false, 2]);
  expect(await callGet(outputDir, 'c+api.js')).toBe(true);
});

it('runs a dynamically imported module on its first import, once', async () => {
  const route = `import { log } from '../lib/log.ts';
    ${answer("[[...log], (await import('../lib/later.ts')).name, (await import('../lib/later.ts')).name, log]")}`;
  const { outputDir } = await exportFiles({
    'lib/log.ts': LOG,
    'lib/later.ts': "import { log } from './log.ts'; log.push('later'); export const name = 'here';",
    'app/a+api.ts': route,
    'app/b+api.ts': route,
    'app/c+api.ts': "export { name } from '../lib/later.ts'; export { GET } from './a+api.ts';",
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([[], 'here', 'here', ['later']]);
  expect(await callGet(outputDir, 'b+api.js')).toEqual([['later'], 'here', 'here', ['later']]);
  expect(await callGet(outputDir, 'c+api.js')).toEqual([['later'], 'here', 'here', ['later']]);
});

it('runs a module that threw again on its next import, and nothing else', async () => {
  const counting = (name: string, more = ''): string =>
    `globalThis.runs = { ...globalThis.runs, ${name}: (globalThis.runs?.${name} ?? 0) + 1 }; ${more}`;
  const fails = "if (globalThis.runs.fails < 3) throw new Error('attempt ' + globalThis.runs.fails);";
  const route = `import { name } from '../lib/fails.ts'; import '../lib/after.ts'; ${answer('[name, globalThis.runs]')}`;
  const { outputDir } = await exportFiles({
    'lib/before.ts': counting('before'),
    'lib/after.ts': counting('after'),
    'lib/fails.ts': `import './before.ts'; ${counting('fails', fails)} export const name = 'here';`,
    'app/a+api.ts': route,
    'app/b+api.ts': route,
    'app/c+api.ts': answer('1'),
    'app/d+api.ts': `import '../lib/before.ts'; ${answer('2')}`,
  });
  await expect(callGet(outputDir, 'a+api.js')).rejects.toThrow('attempt 1');
  expect(await callGet(outputDir, 'c+api.js')).toBe(1);
  expect(await callGet(outputDir, 'd+api.js')).toBe(2);
  await expect(callGet(outputDir, 'b+api.js')).rejects.toThrow('attempt 2');
  const expected = ['here', { before: 1, fails: 3, after: 1 }];
  expect(await callGet(outputDir, 'a+api.js')).toEqual(expected);
  expect(await callGet(outputDir, 'b+api.js')).toEqual(expected);
});

it.each(['ts', 'cjs'])(
  'keeps the state of what only one route reaches when a module throws: .%s',
  async (extension) => {
    const isEs = extension === 'ts';
    const name = isEs ? 'pools' : 'poolsOfCommonJs';
    const pool = `globalThis.${name} = (globalThis.${name} ?? 0) + 1;`;
    const fails = `globalThis.${name}Tries = (globalThis.${name}Tries ?? 0) + 1; if (globalThis.${name}Tries < 3) throw new Error('not yet');`;
    const load = (file: string): string =>
      isEs ? `import '${file}'; export {};` : `'use strict'; require('${file}');`;
    const value = `[globalThis.${name}, globalThis.${name}Tries]`;
    const { outputDir } = await exportFiles({
      [`lib/pool.${extension}`]: `${isEs ? 'export {};' : "'use strict';"} ${pool}`,
      [`lib/schema.${extension}`]: `${load(`./pool.${extension}`)} ${fails}`,
      'app/a+api.ts': `import '../lib/schema.${extension}'; ${answer(value)}`,
      'app/b+api.ts': answer(`await import('../lib/later.ts').then(() => 0)`),
      'lib/later.ts': "import './pool-of-later.ts'; export {}; throw new Error('never');",
      'lib/pool-of-later.ts': 'export {}; globalThis.poolsOfLater = (globalThis.poolsOfLater ?? 0) + 1;',
      'app/c+api.ts': answer('globalThis.poolsOfLater'),
    });
    await expect(callGet(outputDir, 'a+api.js')).rejects.toThrow('not yet');
    await expect(callGet(outputDir, 'a+api.js')).rejects.toThrow('not yet');
    expect(await callGet(outputDir, 'a+api.js')).toEqual([1, 3]);
    Reflect.deleteProperty(globalThis, 'poolsOfLater');
    await expect(callGet(outputDir, 'b+api.js')).rejects.toThrow('never');
    await expect(callGet(outputDir, 'b+api.js')).rejects.toThrow('never');
    expect(await callGet(outputDir, 'c+api.js')).toBe(1);
  },
);

it('keeps modules of the same content apart', async () => {
  const counts = 'let count = 0; export const next = () => ++count;';
  const route = (name: string): string => `import { next } from '../lib/${name}/count.ts'; ${answer('next()')}`;
  const { outputDir } = await exportFiles({
    'lib/a/count.ts': counts,
    'lib/b/count.ts': counts,
    'app/a+api.ts': route('a'),
    'app/b+api.ts': route('b'),
  });
  expect(await callGet(outputDir, 'a+api.js')).toBe(1);
  expect(await callGet(outputDir, 'a+api.js')).toBe(2);
  expect(await callGet(outputDir, 'b+api.js')).toBe(1);
});

it('never returns what a CommonJS module had exported when it threw', async () => {
  const route = `import half from '../lib/half.cjs'; ${answer('half')}`;
  const fails =
    "globalThis.halves = (globalThis.halves ?? 0) + 1; if (globalThis.halves < 3) throw new Error('not yet');";
  const { outputDir } = await exportFiles({
    'lib/half.cjs': `exports.first = 1; ${fails} exports.second = 2;`,
    'app/a+api.ts': route,
    'app/b+api.ts': route,
  });
  await expect(callGet(outputDir, 'a+api.js')).rejects.toThrow('not yet');
  await expect(callGet(outputDir, 'b+api.js')).rejects.toThrow('not yet');
  expect(await callGet(outputDir, 'a+api.js')).toEqual({ first: 1, second: 2 });
  expect(await callGet(outputDir, 'b+api.js')).toEqual({ first: 1, second: 2 });
});

it('loads modules that import one another after one of them threw', async () => {
  const { outputDir } = await exportFiles({
    'lib/even.ts':
      "import { isOdd } from './odd.ts'; export function isEven(n) { return n === 0 || isOdd(n - 1); } export const first = 1;",
    'lib/odd.ts': `import { isEven } from './even.ts'; globalThis.cycles = (globalThis.cycles ?? 0) + 1;
      if (globalThis.cycles < 2) throw new Error('not yet'); export function isOdd(n) { return n !== 0 && isEven(n - 1); }`,
    'app/a+api.ts': `import { isEven, first } from '../lib/even.ts'; ${answer('[isEven(7), first]')}`,
    'app/b+api.ts': `import { isOdd } from '../lib/odd.ts'; ${answer('isOdd(7)')}`,
  });
  await expect(callGet(outputDir, 'a+api.js')).rejects.toThrow('not yet');
  expect(await callGet(outputDir, 'b+api.js')).toBe(true);
  expect(await callGet(outputDir, 'a+api.js')).toEqual([false, 1]);
});

it('fails only the routes that need a missing package', async () => {
  const { outputDir, projectRoot } = await exportFiles({
    'app.json': '{"plugins":[["appkit-router",{"external":["engine"]}]]}',
    'node_modules/engine/package.json': '{"name":"engine","main":"index.js"}',
    'node_modules/engine/index.js': "exports.name = 'engine';",
    'lib/engine.ts': "import { name } from 'engine'; export const engine = () => name;",
    'lib/other.ts': "export const other = () => 'other';",
    'app/a+api.ts': `import { engine } from '../lib/engine.ts'; import { other } from '../lib/other.ts'; ${answer('[engine(), other()]')}`,
    'app/b+api.ts': `import { other } from '../lib/other.ts'; ${answer('other()')}`,
    'app/c+api.ts': answer("await import('../lib/engine.ts').then(({ engine }) => engine(), ({ code }) => code)"),
  });
  const installed = path.join(outputDir, 'server/node_modules');
  await rename(installed, `${installed}.away`);
  await rm(path.join(projectRoot, 'node_modules'), { recursive: true });
  await expect(async () => callGet(outputDir, 'a+api.js')).rejects.toThrow("Cannot find module 'engine'");
  expect(await callGet(outputDir, 'b+api.js')).toBe('other');
  expect(await callGet(outputDir, 'c+api.js')).toBe('MODULE_NOT_FOUND');
  await rename(`${installed}.away`, installed);
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['engine', 'other']);
  expect(await callGet(outputDir, 'c+api.js')).toBe('engine');
});

it('exports routes whose names mean something to the bundler, or differ only in case', async () => {
  const route = (name: string): string => `import { seen } from '../lib/seen.ts'; ${answer(`seen('${name}')`)}`;
  const names = ['[hash]', 'n/[name]', 'B', 'b', '[...rest]'];
  const { outputDir, manifest } = await exportFiles({
    'lib/seen.ts': 'const all = []; export const seen = (name) => { all.push(name); return all; };',
    ...Object.fromEntries(
      names.map((name) => [
        `app/${name}+api.ts`,
        name.includes('/') ? route(name).replace('../', '../../') : route(name),
      ]),
    ),
    'app/[hash]/b+api.ts': route('deep').replace('../', '../../'),
  });
  expect(manifest.routes).toHaveLength(6);
  for (const name of names) await callGet(outputDir, `${name}+api.js`);
  expect(await callGet(outputDir, '[hash]/b+api.js')).toEqual([...names, 'deep']);
});

it('gives the same bytes wherever the project is', async () => {
  const files = {
    'lib/a b/[id].ts': 'export const value = new Map();',
    'lib/Id.ts': "import { value } from './a b/[id].ts'; export const get = () => value;",
    'app/a+api.ts': `import { get } from '../lib/Id.ts'; ${answer('get()')}`,
    'app/b+api.ts': `import { value } from '../lib/a b/[id].ts'; ${answer("[value, (await import('../lib/Id.ts')).get]")}`,
  };
  const [first, second] = [await exportFiles(files), await exportFiles(files)];
  const read = async ({ outputDir, files: written }: typeof first): Promise<string[]> =>
    Promise.all(
      written.map(async (file) => `${file.path}\n${await readFile(path.join(outputDir, file.path), 'utf8')}`),
    );
  expect(await read(first)).toEqual(await read(second));
  const names = first.files.map((file) => file.path).filter((name) => name.includes('/chunks/'));
  expect(names.filter((name) => !/^server\/_appkit\/chunks\/[\w-]+-[\da-f]+\.js(?:\.map)?$/.test(name))).toEqual([]);
});

it('lets a route import itself through a module that others share', async () => {
  const route = (name: string): string => `import { routes } from '../lib/routes.ts'; export const name = '${name}';
    ${answer('[(await routes.a()).name, (await routes.b()).name]')}`;
  const { outputDir } = await exportFiles({
    'lib/routes.ts':
      "export const routes = { a: () => import('../app/a+api.ts'), b: () => import('../app/b+api.ts') };",
    'app/a+api.ts': route('a'),
    'app/b+api.ts': route('b'),
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['a', 'b']);
  expect(await callGet(outputDir, 'b+api.js')).toEqual(['a', 'b']);
});

it('exports a CommonJS route that another one imports', async () => {
  const { outputDir, manifest } = await exportFiles({
    'app/a+api.js': "exports.GET = async () => Response.json('a');",
    'app/b+api.js': "import a from './a+api.js'; export const GET = a.GET;",
  });
  expect(manifest.routes.map(({ pattern, methods }) => [pattern, methods])).toEqual([
    ['/a', ['GET']],
    ['/b', ['GET']],
  ]);
  expect(await callGet(outputDir, 'a+api.js')).toBe('a');
  expect(await callGet(outputDir, 'b+api.js')).toBe('a');
});

it('keeps what a module re-exports from an external one', async () => {
  const { outputDir } = await exportFiles({
    'lib/path.ts': "export * from 'node:path';",
    'lib/index.ts': "export * from './path.ts';",
    'app/a+api.ts': `import { sep } from '../lib/index.ts'; ${answer('[sep]')}`,
    'app/b+api.ts': answer("(await import('../lib/index.ts')).sep"),
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([path.sep]);
  expect(await callGet(outputDir, 'b+api.js')).toBe(path.sep);
});

it.each(['module', 'commonjs'])('keeps what a module re-exports from an external package of type %s', async (type) => {
  const code = type === 'module' ? "export const name = 'engine'; export default 'own';" : "exports.name = 'engine';";
  const { outputDir } = await exportFiles({
    'app.json': '{"plugins":[["appkit-router",{"external":["engine"]}]]}',
    'node_modules/engine/package.json': JSON.stringify({ name: 'engine', main: 'index.js', type }),
    'node_modules/engine/index.js': code,
    'lib/engine.ts': "export * from 'engine'; export const own = 1;",
    'lib/index.ts': "export * from './engine.ts';",
    'app/a+api.ts': `import { name } from '../lib/index.ts'; ${answer('name')}`,
    'app/b+api.ts': answer("await import('../lib/index.ts').then(({ name, own }) => [name, own])"),
    'app/c+api.ts': answer("await import('../lib/engine.ts').then(({ name, own }) => [name, own])"),
    'app/d+api.ts': `import * as all from '../lib/index.ts'; ${answer('[all.name, all.own]')}`,
  });
  expect(await callGet(outputDir, 'a+api.js')).toBe('engine');
  for (const file of ['b+api.js', 'c+api.js', 'd+api.js']) {
    expect(await callGet(outputDir, file)).toEqual(['engine', 1]);
  }
});

it('exports a route and middleware that are symbolic links', async () => {
  const projectRoot = await createProject({
    'real/middleware.ts': "export default () => new Response('guarded');",
    'real/a.ts': answer("'a'"),
    'app/b+api.ts': answer("'b'"),
  });
  await symlink('../real/middleware.ts', path.join(projectRoot, 'app/+middleware.ts'));
  await symlink('../real/a.ts', path.join(projectRoot, 'app/a+api.ts'));
  await symlink('b+api.ts', path.join(projectRoot, 'app/c+api.ts'));
  const { outputDir, manifest } = await exportApp({ projectRoot });
  expect(manifest.middleware).toEqual({ file: '_appkit/functions/+middleware.js' });
  expect(manifest.routes.map(({ pattern }) => pattern)).toEqual(['/a', '/b', '/c']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('a');
  expect(await callGet(outputDir, 'c+api.js')).toBe('b');
});

it('leaves names, strings and the directive of the app alone', async () => {
  const route = `'use strict'; import { text } from '../lib/text.ts'; const $own = 'own', name = 'n', parts = 'p', loaded = 'l';
    function isStrict() { try { undeclared = 1; return false; } catch { return true; } }
    ${answer('[text, $own, name, parts, loaded, isStrict()]')}`;
  const { outputDir } = await exportFiles(
    {
      'lib/text.ts': `export const text = 'require("./chunks/x.js")';`,
      'app/a+api.js': route,
      'app/b+api.js': route,
    },
    { minify: false },
  );
  const expected = ['require("./chunks/x.js")', 'own', 'n', 'p', 'l', true];
  expect(await callGet(outputDir, 'a+api.js')).toEqual(expected);
});

it('loads for a route only the modules that it needs', async () => {
  const barrel = "export { one } from './one.ts'; export { two } from './two.ts'; export { three } from './three.ts';";
  const { outputDir } = await exportFiles({
    'lib/index.ts': barrel,
    'lib/one.ts': "export const one = () => 'text of one';",
    'lib/two.ts': "export const two = () => 'text of two';",
    'lib/three.ts': "export const three = () => 'text of three';",
    'app/a+api.ts': `import { one, three } from '../lib/index.ts'; ${answer('one() + three()')}`,
    'app/b+api.ts': `import { two, three } from '../lib/index.ts'; ${answer('two() + three()')}`,
  });
  const textsOf = (name: string): string[] => {
    const script = `require(${JSON.stringify(path.join(outputDir, 'server/_appkit/functions', name))});
      console.log(JSON.stringify(Object.keys(require.cache)))`;
    const loaded: string[] = JSON.parse(String(execFileSync(process.execPath, ['-e', script])));
    const code = loaded.map((file) => readFileSync(file, 'utf8')).join('\n');
    return [...code.matchAll(/text of \w+/g)].map(([text]) => text).toSorted();
  };
  expect(textsOf('a+api.js')).toEqual(['text of one', 'text of three']);
  expect(textsOf('b+api.js')).toEqual(['text of three', 'text of two']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('text of onetext of three');
});

it('leaves to require what only a host has, so that tools of the host find it', async () => {
  const route = `import { hash } from '../lib/hash.ts'; ${answer('hash()')}`;
  const { outputDir } = await exportFiles({
    'lib/hash.ts':
      "import { createHash } from 'node:crypto'; export const hash = () => typeof createHash('sha1').update;",
    'app/a+api.ts': route,
    'app/b+api.ts': route,
  });
  const folder = path.join(outputDir, 'server/_appkit/chunks');
  const chunk = (await readdir(folder)).find((name) => /^hash.*\.js$/.test(name));
  const code = await readFile(path.join(folder, chunk ?? ''), 'utf8');
  const asked = [...code.matchAll(/\brequire\(([^)]*)\)/g)].map(([, name]) => name);
  expect(asked).toEqual([expect.stringMatching(/^"\.\/rolldown-runtime-[\da-f]+\.js"$/), '"node:crypto"']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('function');
});

it.each([true, false])('leads Node to the lines of all sources, minified: %s', async (minify) => {
  const failing = (name: string): string =>
    `// A line before it.\nexport function ${name}() {\n  throw new Error('${name}');\n}\n`;
  const trace = (call: string): string => `trace(${call})`;
  const route = (own: string): string => `import { shared } from '../lib/shared.ts';
import { alsoShared } from '../lib/also-shared.ts';
import { sloppy, strict } from '../lib/sloppy.cjs';
const trace = (call) => { try { call(); } catch (error) { return error.stack; } };
function ${own}() {
  throw new Error('${own}');
}
export const GET = async () => Response.json([${[trace('shared'), trace('alsoShared'), trace(own), trace('sloppy'), trace('strict')].join(', ')}]);
`;
  const { outputDir, projectRoot } = await exportFiles(
    {
      'lib/shared.ts': failing('shared'),
      'lib/also-shared.ts': failing('alsoShared'),
      'lib/sloppy.cjs': "exports.strict = require('./strict.cjs').strict;\n".concat(
        failing('sloppy').replace('export ', 'exports.sloppy = '),
      ),
      'lib/strict.cjs': "'use strict';\n".concat(failing('strict').replace('export ', 'exports.strict = ')),
      'app/a+api.ts': route('ownOfA'),
      'app/b+api.ts': route('ownOfB'),
      'app/c+api.ts': `import { shared } from '../lib/shared.ts'; ${answer('shared()')}`,
    },
    { minify },
  );
  const file = path.join(outputDir, 'server/_appkit/functions/b+api.js');
  const script = `require(${JSON.stringify(file)}).GET().then(async (answer) => console.log(await answer.text()))`;
  const traces: string[] = JSON.parse(String(execFileSync(process.execPath, ['--enable-source-maps', '-e', script])));
  const places = traces.map((text) => /at \S+ \((.*?):(\d+):\d+\)/.exec(text)?.slice(1));
  expect(places).toEqual([
    [path.join(projectRoot, 'lib/shared.ts'), '3'],
    [path.join(projectRoot, 'lib/also-shared.ts'), '3'],
    [path.join(projectRoot, 'app/b+api.ts'), '6'],
    [path.join(projectRoot, 'lib/sloppy.cjs'), '4'],
    [path.join(projectRoot, 'lib/strict.cjs'), '4'],
  ]);
  const maps = (await readdir(outputDir, { recursive: true })).filter((name) => name.endsWith('.map'));
  const sources = await Promise.all(
    maps.map(async (name) => {
      const map: { sources: string[] } = JSON.parse(await readFile(path.join(outputDir, name), 'utf8'));
      return map.sources;
    }),
  );
  expect(sources.flat().toSorted()).toEqual([
    'app/a+api.ts',
    'app/b+api.ts',
    'app/c+api.ts',
    'lib/also-shared.ts',
    'lib/shared.ts',
    'lib/sloppy.cjs',
    'lib/strict.cjs',
  ]);
});
