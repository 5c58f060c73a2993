import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
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

it('reports a folder that contains no server build', () => {
  expect(() => loadBuild({ build: folder })).toThrow(`There is no server build in ${folder}`);
});
