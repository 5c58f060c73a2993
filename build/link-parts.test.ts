import { execFileSync } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { callGet, createProject, exportFiles } from './fixtures/create-project.ts';
import { exportApp } from './index.ts';

/** What modules say while they run, each route for itself. */
const LOG = 'globalThis.log ??= []; export const log = globalThis.log; log.length = 0;';

const answer = (value: string): string => `export const GET = async () => Response.json(${value});\n`;

it('runs modules in the order of their imports, whichever of them other routes share', async () => {
  const { outputDir } = await exportFiles({
    'lib/log.ts': LOG,
    'lib/first.ts': "import { log } from './log.ts'; log.push('first');",
    'lib/second.ts': "import { log } from './log.ts'; log.push('second'); export const second = 2;",
    'lib/third.cjs': "globalThis.log.push('third'); exports.third = 3;",
    'lib/fourth.ts': "import { log } from './log.ts'; log.push('fourth');",
    // Of what a needs, b shares the second and the fourth, and c the third.
    'app/a+api.ts': `import '../lib/first.ts'; import '../lib/second.ts'; import '../lib/third.cjs'; import '../lib/fourth.ts';
      import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/b+api.ts': `import '../lib/fourth.ts'; import '../lib/second.ts'; import { log } from '../lib/log.ts'; ${answer('log')}`,
    'app/c+api.ts': `import third from '../lib/third.cjs'; import { log } from '../lib/log.ts'; ${answer('[third, log]')}`,
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['first', 'second', 'third', 'fourth']);
  expect(await callGet(outputDir, 'b+api.js')).toEqual(['fourth', 'second']);
  expect(await callGet(outputDir, 'c+api.js')).toEqual([{ third: 3 }, []]);
});

it('gives each route a copy of what it shares, with a state of its own', async () => {
  const counts = "import { next } from '../lib/count.ts'; export const GET = async () => Response.json(next());";
  const { outputDir } = await exportFiles({
    'lib/count.ts': 'let count = 0; export const next = () => ++count;',
    'app/a+api.ts': counts,
    'app/b+api.ts': counts,
  });
  const seen = [];
  for (const file of ['a+api.js', 'a+api.js', 'b+api.js']) seen.push(await callGet(outputDir, file));
  expect(seen).toEqual([1, 2, 1]);
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
  expect(await callGet(outputDir, 'b+api.js')).toEqual([1, false, 1]);
  expect(await callGet(outputDir, 'c+api.js')).toBe(true);
});

it('runs what is imported later when it is asked for, once', async () => {
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
  expect(await callGet(outputDir, 'b+api.js')).toEqual([[], 'here', 'here', ['later']]);
  expect(await callGet(outputDir, 'c+api.js')).toEqual([['later'], 'here', 'here', ['later']]);
});

it('throws the same again when a module that threw is asked for again', async () => {
  const route = answer("await import('../lib/fails.ts').then(() => 'loaded', ({ message }) => message)");
  const { outputDir } = await exportFiles({
    'lib/fails.ts':
      'globalThis.attempts = (globalThis.attempts ?? 0) + 1; throw new Error(`attempt ${globalThis.attempts}`);',
    'app/a+api.ts': route,
    'app/b+api.ts': route,
  });
  expect(await callGet(outputDir, 'a+api.js')).toBe('attempt 1');
  expect(await callGet(outputDir, 'a+api.js')).toBe('attempt 1');
});

it('lets a route reach itself by an import of what others share', async () => {
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

it('keeps what a module passes on of one that stays outside', async () => {
  const { outputDir } = await exportFiles({
    'lib/path.ts': "export * from 'node:path';",
    'lib/index.ts': "export * from './path.ts';",
    'app/a+api.ts': `import { sep } from '../lib/index.ts'; ${answer('[sep]')}`,
    'app/b+api.ts': answer("(await import('../lib/index.ts')).sep"),
  });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([path.sep]);
  expect(await callGet(outputDir, 'b+api.js')).toBe(path.sep);
});

it('exports a route and middleware that are links', async () => {
  const projectRoot = await createProject({
    'real/middleware.ts': "export default () => new Response('guarded');",
    'real/a.ts': answer("'a'"),
    'app/b+api.ts': answer("'b'"),
  });
  await symlink('../real/middleware.ts', path.join(projectRoot, 'app/+middleware.ts'));
  await symlink('../real/a.ts', path.join(projectRoot, 'app/a+api.ts'));
  const { outputDir, manifest } = await exportApp({ projectRoot });
  expect(manifest.middleware).toEqual({ file: '_appkit/functions/+middleware.js' });
  expect(manifest.routes.map(({ pattern }) => pattern)).toEqual(['/a', '/b']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('a');
});

it('leaves names and texts of the app alone, and its directive', async () => {
  const route = `'use strict'; import { text } from '../lib/text.ts'; const $link00 = 'own', name = 'n', parts = 'p', loaded = 'l';
    function isStrict() { try { undeclared = 1; return false; } catch { return true; } }
    ${answer('[text, $link00, name, parts, loaded, isStrict()]')}`;
  const { outputDir } = await exportFiles(
    {
      'lib/text.ts': `export const text = 'require("./appkit-part-x.js")';`,
      'app/a+api.js': route,
      'app/b+api.js': route,
    },
    { minify: false },
  );
  const expected = ['require("./appkit-part-x.js")', 'own', 'n', 'p', 'l', true];
  expect(await callGet(outputDir, 'a+api.js')).toEqual(expected);
});

it('gives a route only the modules that it needs', async () => {
  const barrel = "export { one } from './one.ts'; export { two } from './two.ts'; export { three } from './three.ts';";
  const { outputDir } = await exportFiles({
    'lib/index.ts': barrel,
    'lib/one.ts': "export const one = () => 'text of one';",
    'lib/two.ts': "export const two = () => 'text of two';",
    'lib/three.ts': "export const three = () => 'text of three';",
    'app/a+api.ts': `import { one, three } from '../lib/index.ts'; ${answer('one() + three()')}`,
    'app/b+api.ts': `import { two, three } from '../lib/index.ts'; ${answer('two() + three()')}`,
  });
  const textsOf = async (name: string): Promise<string[]> => {
    const code = await readFile(path.join(outputDir, 'server/_appkit/functions', name), 'utf8');
    return [...code.matchAll(/text of \w+/g)].map(([text]) => text).toSorted();
  };
  expect(await textsOf('a+api.js')).toEqual(['text of one', 'text of three']);
  expect(await textsOf('b+api.js')).toEqual(['text of three', 'text of two']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('text of onetext of three');
});

it('leaves to require what only a host has, where its tools look for it', async () => {
  const route = `import { hash } from '../lib/hash.ts'; ${answer('hash()')}`;
  const { outputDir } = await exportFiles({
    'lib/hash.ts':
      "import { createHash } from 'node:crypto'; export const hash = () => typeof createHash('sha1').update;",
    'app/a+api.ts': route,
    'app/b+api.ts': route,
  });
  const code = await readFile(path.join(outputDir, 'server/_appkit/functions/a+api.js'), 'utf8');
  expect([...code.matchAll(/\brequire\(([^)]*)\)/g)].map(([, name]) => name)).toEqual(['"node:crypto"']);
  expect(await callGet(outputDir, 'a+api.js')).toBe('function');
});

it.each([true, false])('leads Node to the lines of all sources, minified: %s', async (minify) => {
  const failing = (name: string): string =>
    `// A line before it.\nexport function ${name}() {\n  throw new Error('${name}');\n}\n`;
  const trace = (call: string): string => `trace(${call})`;
  const route = (own: string): string => `import { shared } from '../lib/shared.ts';
import { alsoShared } from '../lib/also-shared.ts';
const trace = (call) => { try { call(); } catch (error) { return error.stack; } };
function ${own}() {
  throw new Error('${own}');
}
export const GET = async () => Response.json([${[trace('shared'), trace('alsoShared'), trace(own)].join(', ')}]);
`;
  const { outputDir, projectRoot } = await exportFiles(
    {
      'lib/shared.ts': failing('shared'),
      'lib/also-shared.ts': failing('alsoShared'),
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
    [path.join(projectRoot, 'app/b+api.ts'), '5'],
  ]);
  const { sources }: { sources: string[] } = JSON.parse(await readFile(`${file}.map`, 'utf8'));
  expect(sources.toSorted()).toEqual(['app/b+api.ts', 'lib/also-shared.ts', 'lib/shared.ts']);
});
