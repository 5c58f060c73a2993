import { rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli, startDev, startServe } from '../fixtures/cli-process.ts';
import type { ServeProcess } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import { toUrl } from './module-evaluator.ts';

const CONFIG = { 'app.json': '{ "web": { "output": "server" } }' };

const manifestOf = (type: string): string =>
  JSON.stringify({
    name: 'both',
    type,
    imports: { '#state': './lib/state.cjs', '#word': './lib/word.js' },
    exports: { './state': './lib/state.cjs' },
  });

const FILES = {
  ...CONFIG,
  'package.json': manifestOf('commonjs'),
  'app/names+api.ts': `
    export const GET = () => Response.json([
      typeof __dirname, typeof __filename, typeof require, typeof require.resolve, typeof module, typeof exports, typeof this,
    ]);`,
  'app/own-names+api.ts': `
    import { createRequire } from 'node:module';
    import { fileURLToPath } from 'node:url';
    const require = createRequire(import.meta.url);
    const __filename = fileURLToPath(import.meta.url);
    export const GET = () => Response.json([require('node:path').join('a', 'b'), typeof __filename]);`,
  'app/required+api.ts': `
    const { join } = require('node:path');
    const { valid } = require('semver');
    const word = require('../lib/word');
    const { typed } = require('../lib/typed');
    const data = require('../lib/data.json');
    const text = require('../lib/text.txt');
    export const GET = () => Response.json([join('a', 'b'), valid('1.2.3'), word, typed, data, text]);`,
  'app/imported+api.ts': `
    import whole, { word } from '../lib/word';
    import make, { extra } from '../lib/make';
    import compiled, { name } from '../lib/compiled';
    import { cjs } from '../lib/ending.cjs';
    export const GET = () => Response.json([whole, word, make(), extra, compiled, name, cjs]);`,
  'app/absent+api.ts': `
    let code;
    try { require('not-there'); } catch (error) { code = error.code; }
    export const GET = () => Response.json([code]);`,
  'app/order+api.ts': `
    const order = globalThis.order = ['first'];
    if (order.length > 5) require('../lib/loud');
    order.push('second');
    require('../lib/loud');
    require('../lib/loud');
    export const GET = () => Response.json(order);`,
  'app/circle+api.ts': `
    const one = require('../lib/one');
    export const GET = () => Response.json(one);`,
  'app/written+api.js': `
    module.exports = { GET: () => new Response(require('#word').word) };`,
  'app/strict+api.js': `
    'use strict';
    exports.GET = () => Response.json(isStrict());
    function isStrict() { return this === undefined; }`,
  'app/assigned+api.cts': `
    import type { Stats } from 'node:fs';
    import assigned = require('../lib/assigned.cts');
    const GET = (): Response => Response.json(assigned.word);
    export = { GET } satisfies Record<string, () => Response | Stats>;`,
  'lib/assigned.cts': `
    import type { Word } from './typed.ts';
    const word: string = 'assigned';
    export = { word };`,
  'app/typed-route+api.cts':
    'export const GET = (request: Request): Response => Response.json(new URL(request.url).pathname);',
  'app/early+api.ts': `
    import { early } from '../lib/early.cjs';
    import { base } from '../lib/typed.cts';
    export const GET = () => Response.json([early, base]);`,
  'lib/early.cjs':
    "'use strict'; exports.early = [this === exports]; if (exports.early) return;\nexports.early = 'late';",
  'lib/typed.cts':
    "import path = require('node:path');\nconst typed: { base: string } = { base: path.basename('a/b') };\nexport = typed;",
  'app/compiled-package+api.ts': "export { GET } from '../lib/of-package';",
  'lib/of-package.ts': `
    import Thing, { name } from 'compiled-package';
    export const GET = () => Response.json([typeof Thing, name]);`,
  'lib/node_modules/compiled-package/package.json': '{ "name": "compiled-package", "version": "1.0.0" }',
  'lib/node_modules/compiled-package/index.js': `
    Object.defineProperty(exports, '__esModule', { value: true });
    exports.default = class Thing {};
    exports.name = 'a name';`,
  'app/every-name+api.ts': "export { GET } from '../lib/of-names';",
  'lib/of-names.ts': `
    import whole, { one, two } from 'names-at-run-time';
    import * as all from 'names-at-run-time';
    import * as compiled from 'compiled-package';
    export * from 'names-at-run-time';
    export const GET = async () => {
      const names = [all, compiled, await import('names-at-run-time'), await import('./of-names')];
      return Response.json([whole, one, two, ...names.map((found) => Object.keys(found).sort())]);
    };`,
  'lib/node_modules/names-at-run-time/package.json': '{ "name": "names-at-run-time", "version": "1.0.0" }',
  'lib/node_modules/names-at-run-time/index.js':
    "for (const name of ['one', 'two']) Object.defineProperty(exports, name, { enumerable: true, get: () => name });",
  'app/named+api.ts': `
    import state from '#state';
    import { viaRequire } from '../lib/via-require.cjs';
    export const GET = () => Response.json([state.next(), viaRequire(), state.next()]);`,
  'lib/state.cjs': 'let count = 0;\nexports.next = () => ++count;',
  'lib/via-require.cjs': "exports.viaRequire = () => [require('#state').next(), require('both/state').next()];",
  'lib/word.js': `
    const { word } = require('./word-too');
    module.exports = { word: word + '!', dirname: typeof __dirname, isThis: this === exports };`,
  'lib/word-too.js': "exports.word = 'hello';",
  'lib/typed.ts': "interface Typed { typed: string }\nexport const { typed }: Typed = { typed: 'an ES module' };",
  'lib/data.json': '{ "number": 1 }',
  'lib/text.txt': 'a text',
  'lib/make.js': "module.exports = () => 'made';\nmodule.exports.extra = 'more';",
  'lib/compiled.js': `
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.name = 'a name';
    exports.default = 'the default';`,
  'lib/ending.cjs': "exports.cjs = 'by its ending';",
  'lib/loud.js': "globalThis.order.push('loud');",
  'lib/one.js': "exports.early = 1;\nexports.two = require('./two');\nexports.late = 1;",
  'lib/two.js': "const one = require('./one');\nexports.seen = Object.keys(one);",
};

const ROUTES = Object.keys(FILES)
  .filter((file) => file.includes('+api'))
  .map((file) => file.replace(/^app/, '').replace(/\+api\.\w+$/, ''));

async function answersOf({ url }: ServeProcess): Promise<Record<string, unknown>> {
  const answers = ROUTES.map(async (route) => [route, await (await fetch(url + route)).text()]);
  return Object.fromEntries(await Promise.all(answers)) as Record<string, unknown>;
}

it.each(['commonjs', 'module'])(
  'runs ES modules and CommonJS as an export does, in a package of type %s',
  async (type) => {
    await using app = await createTemporaryApp({ ...FILES, 'package.json': manifestOf(type) });
    expect(await runCli(['export'], { cwd: app.folder })).toMatchObject({ code: 0 });
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    await using dev = await startDev([], { cwd: app.folder });
    const expected = await answersOf(serve);
    expect(expected['/written']).toBe('hello!');
    expect(expected['/strict']).toBe('true');
    expect(expected['/assigned']).toBe('"assigned"');
    expect(await answersOf(dev)).toEqual(expected);
  },
);

it('picks up changes of a required file, and says where one fails', async () => {
  await using app = await createTemporaryApp(FILES);
  await using dev = await startDev([], { cwd: app.folder });
  const required = path.join(app.folder, 'lib/word-too.js');
  const save = async (content: string): Promise<void> => {
    await writeFile(`${app.folder}.saved`, content);
    await rename(`${app.folder}.saved`, required);
  };
  expect(await (await fetch(`${dev.url}/written`)).text()).toBe('hello!');
  await save("exports.word = 'good day';");
  await dev.printed(/reloaded .*\/written.*: lib\/word-too\.js changed/);
  expect(await (await fetch(`${dev.url}/written`)).text()).toBe('good day!');
  await save("\n  throw new Error('broken');");
  await expect.poll(async () => (await fetch(`${dev.url}/written`)).status).toBe(500);
  const failed = await fetch(`${dev.url}/written`, { headers: { accept: 'application/json' } });
  const { error } = (await failed.json()) as { error: unknown };
  expect(error).toMatchObject({ message: 'broken', frame: { file: 'lib/word-too.js', line: 2, column: 9 } });
  await save("exports.word = 'mended';");
  await dev.printed(/reloaded .*\/written.*: lib\/word-too\.js changed/);
  await expect.poll(async () => (await fetch(`${dev.url}/written`)).text().catch(String)).toBe('mended!');
});

it('follows the sources of a package that is linked after a request has missed it', async () => {
  await using workspace = await createTemporaryApp({
    'apps/web/app.json': CONFIG['app.json'],
    'apps/web/package.json': manifestOf('module'),
    'apps/web/app/words+api.ts': "import { word } from 'words';\nexport const GET = () => new Response(word);",
    'apps/web/node_modules/.keep': '',
    'packages/words/package.json': '{ "name": "words", "type": "module", "exports": "./word.ts" }',
    'packages/words/word.ts': "export const word: string = 'one';",
  });
  const folder = path.join(workspace.folder, 'apps/web');
  await using dev = await startDev([], { cwd: folder });
  expect((await fetch(`${dev.url}/words`)).status).toBe(500);
  await symlink(path.join(workspace.folder, 'packages/words'), path.join(folder, 'node_modules/words'), 'junction');
  expect(await (await fetch(`${dev.url}/words`)).text()).toBe('one');
  await writeFile(path.join(workspace.folder, 'packages/words/word.ts'), "export const word: string = 'two';");
  await dev.printed(/reloaded \/words: .*word\.ts changed/);
  // It may have been reloaded while the file was still empty.
  await expect.poll(async () => (await fetch(`${dev.url}/words`)).text()).toBe('two');
});

it('lets a package find what its caller names from the file of the caller, as pino finds a transport', async () => {
  await using app = await createTemporaryApp({
    ...CONFIG,
    'package.json': manifestOf('module'),
    'app/callers+api.ts': `
      import { findFor } from 'caller-package';
      import * as lib from '../lib/calls.cjs';
      const here = findFor('transport');
      export const GET = () => Response.json([here, lib.there]);`,
    'lib/calls.cjs': "exports.there = require('caller-package').findFor('transport');",
    'node_modules/caller-package/package.json': '{ "name": "caller-package", "version": "1.0.0" }',
    'node_modules/caller-package/index.js': `
      const { createRequire } = require('node:module');
      exports.findFor = (name) => {
        const given = Error.prepareStackTrace;
        Error.prepareStackTrace = (_, stack) => stack;
        const caller = new Error().stack[1].getFileName();
        Error.prepareStackTrace = given;
        return require(createRequire(caller).resolve(name));
      };`,
    'node_modules/transport/package.json': '{ "name": "transport", "version": "1.0.0" }',
    'node_modules/transport/index.js': "module.exports = 'found';",
  });
  await using dev = await startDev([], { cwd: app.folder });
  expect(await (await fetch(`${dev.url}/callers`)).json()).toEqual(['found', 'found']);
});

it('gives Vite a URL for a file of Windows, whose drive would be the name of a package', () => {
  expect(toUrl('C:/shop/app/style.css?appkit-required')).toBe('/@fs/C:/shop/app/style.css?appkit-required');
  expect(toUrl('/shop/app/style.css')).toBe('/shop/app/style.css');
});
