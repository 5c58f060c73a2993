import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHandler } from '../../runtime/handler.ts';
import { loadBuild } from './load-build.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-build-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const ask = async (options: Parameters<typeof loadBuild>[0]): Promise<string> =>
  (await createHandler(loadBuild(options))(new Request('http://app.test/'))).text();

it('loads a file that exports fetch, as an ES module or CommonJS, by its path or URL', async () => {
  const module = await write('server.mjs', 'await 0; export default { fetch: () => new Response("module") };');
  const common = await write('server.cjs', 'exports.fetch = () => new Response("common");');
  expect(await ask({ build: module })).toBe('module');
  expect(await ask({ build: pathToFileURL(module) })).toBe('module');
  expect(await ask({ build: common })).toBe('common');
});

it('accepts a function in place of a build, but not both and not neither', async () => {
  expect(await ask({ fetch: () => new Response('function') })).toBe('function');
  const message = /either the option build, .*, or the option fetch/;
  expect(() => loadBuild({} as never)).toThrow(message);
  expect(() => loadBuild({ build: folder, fetch: () => new Response() } as never)).toThrow(message);
});

it('calls a method of the object it was given', async () => {
  class App {
    readonly #greeting = 'hello';
    fetch(): Response {
      return new Response(this.#greeting);
    }
  }
  expect(await ask(new App())).toBe('hello');
});

it('loads the server build in a folder, with modules of both formats, by its path or URL', async () => {
  const routes = ['common.js', 'module.mjs'].map((file) => ({ pattern: `/${file}`, file, methods: ['GET'] }));
  await write('server/_appkit/routes.json', JSON.stringify({ version: 1, routes }));
  await write('server/common.js', 'exports.GET = () => new Response("common");');
  await write('server/module.mjs', 'await 0; export const GET = () => new Response("module");');
  const build = path.join(folder, 'server');
  const url = pathToFileURL(build);
  for (const given of [build, url, url.href]) {
    const handler = createHandler(loadBuild({ build: given }));
    const textOf = async (name: string): Promise<string> =>
      (await handler(new Request(`http://app.test/${name}`))).text();
    expect([await textOf('common.js'), await textOf('module.mjs')]).toEqual(['common', 'module']);
  }
});

it('loads every file from the folder that a link led to at first, as behind a link to the current release', async () => {
  const routes = ['/first', '/late'].map((pattern) => ({ pattern, file: `${pattern}.js`, methods: ['GET'] }));
  for (const release of ['one', 'two']) {
    await write(`releases/${release}/_appkit/routes.json`, JSON.stringify({ version: 1, routes }));
    for (const { file } of routes) {
      await write(`releases/${release}/${file}`, `exports.GET = () => new Response("${release}");`);
    }
  }
  const current = path.join(folder, 'current');
  await symlink(path.join(folder, 'releases/one'), current, 'junction');
  const script = `
    import { rmSync, symlinkSync } from 'node:fs';
    import { createHandler } from ${JSON.stringify(new URL('../../runtime/handler.ts', import.meta.url))};
    import { loadBuild } from ${JSON.stringify(new URL('load-build.ts', import.meta.url))};
    const [current, next] = ${JSON.stringify([current, path.join(folder, 'releases/two')])};
    const handler = createHandler(loadBuild({ build: current }));
    const ask = async (path) => console.log(await (await handler(new Request('http://app.test' + path))).text());
    await ask('/first');
    rmSync(current);
    symlinkSync(next, current, 'junction');
    await ask('/late');`;
  // Deno looks where the link leads each time it loads a file. Node remembers it, but not with this option.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--preserve-symlinks',
    '--input-type=module',
    '--eval',
    script,
  ]);
  expect(stdout).toBe('one\none\n');
});

it('reports a folder that contains no server build', () => {
  expect(() => loadBuild({ build: folder })).toThrow(
    expect.objectContaining({
      code: 'ERR_BUILD_MISSING',
      message: `There is no server build in ${folder}. Run \`appkit export -p web\`, then set the option build to the folder dist/server.`,
    }),
  );
});

it('reports a server build whose list of routes cannot be read', async () => {
  const file = await write('broken/_appkit/routes.json', '{');
  expect(() => loadBuild({ build: path.join(folder, 'broken') })).toThrow(
    expect.objectContaining({
      code: 'ERR_BUILD_INVALID',
      message: expect.stringMatching(/cannot be read: .+ Export the app again: appkit export -p web\.$/),
    }),
  );
  expect(() => loadBuild({ build: path.join(folder, 'broken') })).toThrow(file);
});
