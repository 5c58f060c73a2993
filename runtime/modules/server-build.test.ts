import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { MANIFEST_VERSION } from '../manifest.ts';
import { createModuleLoader, toFetchBuild, toServerBuild, whenLoaded } from './server-build.ts';

const manifest = { version: MANIFEST_VERSION, routes: [] };
const build = { manifest, modules: {} };
const fetch = (): Response => new Response();

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe(toServerBuild, () => {
  it('takes a build, also as CommonJS exports it', () => {
    expect(toServerBuild(build)).toBe(build);
    expect(toServerBuild({ default: build })).toBe(build);
    expect(toServerBuild({ default: { __esModule: true, ...build } })).toMatchObject(build);
  });

  it('takes code with a function fetch, which may be a function itself', () => {
    const codes = [{ fetch }, { default: { fetch } }, Object.assign(() => undefined, { fetch })];
    for (const code of codes) {
      const served = toServerBuild(code);
      expect(served.manifest).toEqual({ ...manifest, fetch: { file: 'the options' }, usesCache: false });
      expect((served.modules as () => unknown)()).toBe(code);
    }
    expect(toServerBuild({ fetch, usesCache: true }).manifest.usesCache).toBe(true);
  });

  it('takes a build for a build, even if it has a fetch', () => {
    const both = { ...build, fetch };
    expect(toServerBuild(both)).toBe(both);
  });

  it('refuses anything else, and says what to give', () => {
    const refused = [undefined, null, 5, 'dist/server', {}, { default: null }, { manifest }, { modules: {} }];
    for (const value of [...refused, { manifest: null, modules: {} }, { manifest, modules: null }, { fetch: 'no' }]) {
      const error = errorOf(() => toServerBuild(value));
      expect(error, JSON.stringify(value)).toMatchObject({
        code: 'ERR_BUILD_INVALID',
        message:
          'build is not a server build. Give createRequestHandler the folder dist/server, what its index.js exports, ' +
          'or code with a function fetch.',
      });
    }
  });

  it('refuses a manifest without version or routes', () => {
    for (const incomplete of [{ version: 1 }, { routes: [] }, { version: '1', routes: [] }]) {
      expect(errorOf(() => toServerBuild({ manifest: incomplete, modules: {} }))).toMatchObject({
        code: 'ERR_BUILD_INVALID',
        message: 'The manifest of the server build has no version or no routes. Run `appkit export -p web` again.',
      });
    }
  });

  it('refuses the build of a newer release, and says what to install', () => {
    const newer = { manifest: { version: MANIFEST_VERSION + 1, routes: [] }, modules: {} };
    expect(errorOf(() => toServerBuild(newer))).toMatchObject({
      code: 'ERR_BUILD_TOO_NEW',
      message:
        `The server build has manifest version ${MANIFEST_VERSION + 1}, and this appkit-server understands up to ` +
        `${MANIFEST_VERSION}. Install the release of appkit-server that the app was exported with, or export it again ` +
        'with this one.',
    });
  });
});

describe(createModuleLoader, () => {
  it('loads a module once, and then returns it at once', async () => {
    const module = { GET: fetch };
    const [sync, async] = [vi.fn(() => module), vi.fn(async () => module)];
    const load = createModuleLoader({ manifest, modules: { 'sync.js': sync, 'async.js': async } });
    expect([load('sync.js'), load('sync.js')]).toEqual([module, module]);
    const pending = load('async.js');
    expect(load('async.js')).toBe(pending);
    expect(await pending).toBe(module);
    expect(load('async.js')).toBe(module);
    expect([sync.mock.calls.length, async.mock.calls.length]).toEqual([1, 1]);
  });

  it('waits for a module that another realm promises, such as that of a test runner', async () => {
    const module = { GET: fetch };
    const promise = runInNewContext('Promise.resolve(module)', { module }) as Promise<unknown>;
    const load = createModuleLoader({ manifest, modules: { 'route.js': () => promise } });
    expect(await whenLoaded(load('route.js'), (loaded) => [loaded], undefined)).toEqual([module]);
  });

  it('tries again after a module could not be loaded', async () => {
    const module = { GET: fetch };
    const read = vi.fn(async () => module).mockRejectedValueOnce(new Error('too many open files'));
    const load = createModuleLoader({ manifest, modules: { 'route.js': read } });
    await expect(load('route.js')).rejects.toThrow('too many open files');
    expect(await load('route.js')).toBe(module);
  });

  it('finds the exports of a CommonJS module, and keeps the default export of an ES module', () => {
    const commonJs = { __esModule: true, GET: fetch };
    const esModule = { default: { GET: fetch } };
    const load = createModuleLoader({
      manifest,
      modules: { 'a.cjs': () => ({ default: commonJs, GET: fetch }), 'b.mjs': () => esModule },
    });
    expect([load('a.cjs'), load('b.mjs')]).toEqual([commonJs, esModule]);
    expect(load('a.cjs')).toBe(commonJs);
  });

  it('names a module that is missing, also if objects have a member of that name', () => {
    const load = createModuleLoader({ manifest, modules: { 'empty.js': undefined as never } });
    for (const file of ['route.js', 'empty.js', 'constructor']) {
      expect(errorOf(() => load(file))).toMatchObject({
        code: 'ERR_BUILD_INVALID',
        message: `The server build has no module ${file}, though its manifest names it. Export the app again.`,
      });
    }
  });
});

it('makes the build of code with a fetch, which calls no cache() unless that is said', () => {
  const load = (): unknown => ({ fetch });
  expect(toFetchBuild('server.js', load)).toEqual({
    manifest: { ...manifest, fetch: { file: 'server.js' }, usesCache: false },
    modules: load,
  });
});
