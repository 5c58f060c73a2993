import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ServerBuild } from 'appkit-server/manifest';
import { listFiles } from '../output/list-files.ts';
import { exportForeign } from './export-foreign.ts';
import { adapter } from './sveltekit.ts';

let projectRoot = '';

afterEach(() => rm(projectRoot, { recursive: true }));

async function createProject(files: Record<string, string>): Promise<string> {
  projectRoot = await mkdtemp(path.join(tmpdir(), 'appkit-foreign-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(projectRoot, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return projectRoot;
}

interface Answering {
  fetch(request: Request): Response | Promise<Response>;
}

/** The exported server's answers, in a folder away from the project and its packages. */
async function ask(url = 'http://app.test/'): Promise<string> {
  const away = await mkdtemp(path.join(tmpdir(), 'appkit-away-'));
  try {
    for (const name of await listFiles(path.join(projectRoot, 'dist/server'))) {
      await mkdir(path.dirname(path.join(away, name)), { recursive: true });
      await writeFile(path.join(away, name), await readFile(path.join(projectRoot, 'dist/server', name)));
    }
    const { manifest, modules } = createRequire(path.join(away, 'x.js'))('./index.js') as ServerBuild;
    const module = (await modules[manifest.fetch?.file ?? '']?.()) as Answering & { default?: Answering };
    return await (await (module.default ?? module).fetch(new Request(url))).text();
  } finally {
    await rm(away, { recursive: true });
  }
}

it('exports a module that exports fetch, with its packages, as CommonJS', async () => {
  await createProject({
    'server.ts': `import { word } from 'words';
export default { async fetch({ url }: Request): Promise<Response> {
  const { later } = await import('./later.ts');
  return new Response([word, later, process.env.NODE_ENV, new URL(url).pathname].join());
} };`,
    'later.ts': 'export const later = "later";',
    'node_modules/words/package.json': '{"exports":{"workerd":"./w.js","node":"./n.js"},"type":"module"}',
    'node_modules/words/w.js': 'export const word = "workerd";',
    'node_modules/words/n.js': 'export const word = "node";',
    'public/robots.txt': 'all',
  });
  const { manifest } = await exportForeign({ projectRoot, from: 'server.ts' });
  expect(manifest).toEqual({
    version: 5,
    routes: [],
    fetch: { file: '_appkit/fetch/server.js' },
    boundFetch: true,
  });
  expect(await ask('http://app.test/x')).toBe('node,later,production,/x');
  expect(await readFile(path.join(projectRoot, 'dist/client/robots.txt'), 'utf8')).toBe('all');

  await exportForeign({ projectRoot, from: 'server.ts', conditions: ['workerd'] });
  expect(await ask()).toBe('workerd,later,production,/');
});

it('tells a module its location, even on a host without files', async () => {
  await createProject({
    'server.mjs':
      'export const fetch = () => new Response([import.meta.url, import.meta.dirname, import.meta.filename].join());',
  });
  await exportForeign({ projectRoot, from: 'server.mjs' });
  expect(await ask()).toMatch(/^file:\/\/.+\/server\.js,.+\/fetch,.+\/server\.js$/);
  const file = path.join(projectRoot, 'dist/server/_appkit/fetch/server.js');
  const code = await readFile(file, 'utf8');
  // Workerd has neither.
  const module = { exports: {} as Answering };
  new Function('module', 'exports', 'require', '__dirname', '__filename', code)(
    module,
    module.exports,
    createRequire(file),
  );
  expect(await (await module.exports.fetch(new Request('http://app.test/'))).text()).toBe('file:///server.js,,');
});

it('exports ES modules when a module awaits at its top level', async () => {
  await createProject({
    'server.mjs':
      'const word = await Promise.resolve("awaited");\nexport const fetch = () => new Response(word + typeof import.meta.url);',
  });
  const { manifest } = await exportForeign({ projectRoot, from: 'server.mjs' });
  expect(manifest.fetch?.file).toBe('_appkit/fetch/server.mjs');
  expect(await ask()).toBe('awaitedstring');
});

it('exports the build of a framework by its name or folder, and lists the files that never change', async () => {
  await createProject({
    'dist/server/server.js': 'export default { fetch: () => new Response("start") };',
    'dist/client/assets/a-1.js': 'a',
    'dist/client/about/index.html': 'about',
  });
  // The export replaces the framework's own build, after reading all of it.
  await exportForeign({ projectRoot, from: 'tanstack-start' });
  expect(await ask()).toBe('start');
  expect(JSON.parse(await readFile(path.join(projectRoot, 'dist/client.files/manifest.json'), 'utf8'))).toMatchObject({
    immutable: ['assets'],
    files: { 'assets/a-1.js': { size: 1 }, 'about/index.html': { size: 5 } },
  });
  expect(await readFile(path.join(projectRoot, 'dist/client/_headers'), 'utf8')).toContain('/assets/*\n');
  await expect(exportForeign({ projectRoot, from: 'tanstack-start' })).rejects.toThrow(
    'dist/server/server.js: It does not exist, so tanstack-start has not been built, or has been exported already. Run `vite build` first.',
  );
});

it('knows the files of SvelteKit that never change below the base of its paths', async () => {
  await createProject({});
  const built = path.join(projectRoot, '.svelte-kit/appkit');
  adapter().adapt({
    config: { paths: { base: '/shop' } },
    getAppPath: () => 'shop/_app',
    getBuildDirectory: () => built,
    generateServerInstance(file) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'export const server = { init() {}, respond: () => new Response() };');
    },
    writeClient(folder) {
      mkdirSync(path.join(folder, '_app/immutable'), { recursive: true });
      writeFileSync(path.join(folder, '_app/immutable/a.js'), 'a');
      return [];
    },
    writePrerendered: () => [],
  });
  await exportForeign({ projectRoot, from: 'sveltekit' });
  const manifest = await readFile(path.join(projectRoot, 'dist/client.files/manifest.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ immutable: ['shop/_app/immutable'] });
});

it('finds the server of a folder', async () => {
  await createProject({
    'out/index.js': 'exports.fetch = () => new Response("folder");',
    'out/public/a.txt': 'a',
    'other/server/index.mjs': 'export default { fetch: () => new Response("nitro") };',
    'empty/readme.txt': '',
  });
  await exportForeign({ projectRoot, from: 'out' });
  expect([await ask(), await listFiles(path.join(projectRoot, 'dist/client'))]).toEqual(['folder', ['a.txt']]);
  await exportForeign({ projectRoot, from: 'other' });
  expect(await ask()).toBe('nitro');
  await expect(exportForeign({ projectRoot, from: 'empty' })).rejects.toThrow('empty: It contains no known server');
});

it('publishes no hidden file of the client and no file outside it that a link leads to', async () => {
  await createProject({
    'out/index.js': 'exports.fetch = () => new Response("x");',
    'out/client/a.txt': 'a',
    'out/client/.env': 'SECRET=1',
    'out/client/.vite/manifest.json': '{}',
    'out/client/.well-known/security.txt': 'contact',
    'secret.txt': 'secret',
  });
  const { warnings } = await exportForeign({ projectRoot, from: 'out' });
  expect(await listFiles(path.join(projectRoot, 'dist/client'))).toEqual(['.well-known/security.txt', 'a.txt']);
  expect(warnings).toEqual([
    'Not exported: out/client/.env, out/client/.vite. Names that start with a dot are not published.',
  ]);
  await symlink('../../secret.txt', path.join(projectRoot, 'out/client/link.txt'));
  await expect(exportForeign({ projectRoot, from: 'out' })).rejects.toThrow(
    'out/client/link.txt: It is a link that leads out of out/client',
  );
});

it('refuses a module without fetch, and a client folder of sources', async () => {
  await createProject({
    'server.mjs': 'export const app = 1;',
    'package.json': '{}',
    'index.js': 'exports.fetch = () => new Response("x");',
    'client/src/secret.ts': 'export const secret = 1;',
  });
  await expect(exportForeign({ projectRoot, from: 'server.mjs' })).rejects.toThrow(
    'server.mjs: It exports no function fetch, by name or in its default export.',
  );
  await expect(exportForeign({ projectRoot, from: '.' })).rejects.toThrow('client: It looks like a folder of sources');
});

it('refuses a function as the default export, which other platforms call', async () => {
  await createProject({
    'arrow.ts': 'export default ((request: Request) => new Response(request.url)) satisfies unknown;',
    'named.mjs': 'export default handler;\nfunction handler() { return new Response(); }',
    'constant.mjs': 'const handler = async function () {};\nexport { handler as default };',
    'with-fetch.mjs': 'export default function app() {}\napp.fetch = () => new Response("method");',
    'called.mjs': 'const app = () => ({ fetch: () => new Response("called") });\nexport default app();',
  });
  for (const from of ['arrow.ts', 'named.mjs', 'constant.mjs']) {
    await expect(exportForeign({ projectRoot, from }), from).rejects.toThrow(
      `${from}: Its default export is a function, and not an object with a function fetch. Write: export default { fetch(request) { … } }`,
    );
  }
  await exportForeign({ projectRoot, from: 'called.mjs' });
  expect(await ask()).toBe('called');
  await exportForeign({ projectRoot, from: 'with-fetch.mjs' });
  expect(await ask()).toBe('method');
});

it('warns of files that the code of a module names, and that an export does not have', async () => {
  await createProject({
    'server.ts': `import { readFileSync } from 'node:fs';
import text from './data.txt?raw';
import { font } from 'fonts';
export default { async fetch({ url }: Request): Promise<Response> {
  if (url.endsWith('/own')) return new Response(readFileSync(new URL('./data.txt', import.meta.url)));
  if (url.endsWith('/later')) return new Response((await import('./later-' + url.length + '.ts')).text);
  return new Response(url.endsWith('/font') ? font() : text);
} };`,
    'data.txt': 'text',
    'node_modules/fonts/package.json': '{ "name": "fonts", "main": "index.js" }',
    'node_modules/fonts/font.bin': 'font',
    'node_modules/fonts/index.js':
      "exports.font = () => require('fs').readFileSync(require('path').join(__dirname, 'font.bin'));",
  });
  const { warnings } = await exportForeign({ projectRoot, from: 'server.ts' });
  expect(warnings.toSorted()).toEqual([
    'fonts needs its file font.bin at run time, which no bundle contains. Add fonts to external of appkit-router.',
    "server.ts:5: An export has no ./data.txt here: import.meta.url names the bundled file. Import its text by './data.txt?raw'.",
    'server.ts:6: Only Vite can bundle an import() with a variable in its path. Import each module by its path, such as { hi: () => import("./hi.ts") }.',
  ]);
  expect(await ask()).toBe('text');

  await writeFile(path.join(projectRoot, 'logo.png'), 'png');
  await writeFile(
    path.join(projectRoot, 'server.ts'),
    "import logo from './logo.png';\nexport const fetch = () => new Response(logo);",
  );
  await expect(exportForeign({ projectRoot, from: 'server.ts' })).rejects.toThrow(
    'logo.png: It is imported as a file with a URL, which it would not have. Put it into public/, and write its URL.',
  );
});

it('tells builds of the same layout apart by the packages of the project', async () => {
  const entry = { 'out/server/entry.mjs': 'export const fetch = () => new Response("astro");' };
  await createProject({ 'package.json': '{"dependencies":{"astro":"7.0.0"}}', ...entry });
  await exportForeign({ projectRoot, from: 'out' });
  expect(await ask()).toBe('astro');
  await rm(projectRoot, { recursive: true });
  await createProject({ 'package.json': '{"dependencies":{"vike":"1.0.0"}}', ...entry });
  await expect(exportForeign({ projectRoot, from: 'out' })).rejects.toThrow('vike/fetch');
});

it('says which responses may be cached, and for which release', async () => {
  await createProject({
    'server.mjs': 'export const fetch = () => new Response("cache() of appkit-server");',
    'app.json': '{ "plugins": [["appkit-router", { "redirects": [{ "source": "/a", "destination": "/b" }] }]] }',
  });
  const { manifest, warnings } = await exportForeign({ projectRoot, from: 'server.mjs' });
  expect(manifest).toMatchObject({ usesCache: true, release: expect.stringMatching(/^[\w-]{22}$/) });
  expect(warnings).toEqual([
    'app.json: redirects is for apps with a routes folder, and does nothing with --from. Configure the framework instead.',
  ]);
});

it('carries the headers and cache rules of the config', async () => {
  await createProject({
    'app.json': JSON.stringify({
      plugins: [
        ['appkit-router', { headers: { 'x-own': '1' }, cache: [{ source: '/news', maxAge: 60 }], strictFetch: true }],
      ],
    }),
    'server.mjs': 'export const fetch = () => new Response("x");',
  });
  const { manifest } = await exportForeign({ projectRoot, from: 'server.mjs' });
  expect(manifest).toMatchObject({ headers: { 'x-own': '1' }, cache: [{ source: '/news', maxAge: 60 }] });
  expect(manifest).not.toHaveProperty('boundFetch');
});

it.each([
  ['reactrouter', 'and no framework of that name is known. Did you mean react-router?'],
  ['nowhere/x.js', 'No file or folder of this name exists'],
])('refuses %s', async (from, message) => {
  await createProject({ 'package.json': '{}' });
  await expect(exportForeign({ projectRoot, from })).rejects.toThrow(message);
});

it('says what is missing or cannot be read, and leaves the output as it was', async () => {
  await createProject({
    'server.mjs': "import 'not-installed';\nexport const fetch = () => new Response();",
    'broken.mjs': 'export const = 1;',
    'dist/kept.txt': 'kept',
  });
  await expect(exportForeign({ projectRoot, from: 'server.mjs' })).rejects.toThrow(/server\.mjs:1.*not-installed/);
  await expect(exportForeign({ projectRoot, from: 'broken.mjs' })).rejects.toThrow(
    /broken\.mjs:1:14.*cannot be parsed/,
  );
  expect(await listFiles(path.join(projectRoot, 'dist'))).toEqual(['kept.txt']);
});
