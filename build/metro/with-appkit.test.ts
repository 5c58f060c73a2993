import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runInNewContext } from 'node:vm';

import { FileStore } from 'metro-cache';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { bundleWithMetro, createMetroConfig } from '../fixtures/bundle-with-metro.ts';
import { createFolder, createProject, writeFiles } from '../fixtures/create-project.ts';
import { withAppkit } from './index.ts';

const SECRET = 'sk-live-of-the-server';
const SERVER = {
  'app/hello+api.js': `import { secret } from '../server/secret';\nexport const GET = () => new Response(secret);`,
  'app/+middleware.js': `export default () => { throw new Error('${SECRET}'); };`,
  'server/secret.js': `export const secret = '${SECRET}';`,
};
const HELLO_FIX =
  'Call the route with fetch. Import types with import type, and move what both need into a separate file.';

async function refusal(
  files: Record<string, string>,
  options: Parameters<typeof bundleWithMetro>[1] = {},
): Promise<string> {
  const projectRoot = await createProject({ ...SERVER, ...files });
  return bundleWithMetro(projectRoot, options).then(
    () => 'It was built.',
    (error: Error) => error.message,
  );
}

describe('a client that imports server code is not built', () => {
  it('by a static import, which the message names with the whole chain', async () => {
    const message = await refusal({
      'index.js': `import './screens/home';`,
      'screens/home.js': `import { greet } from '../lib/greet';\ngreet();`,
      'lib/greet.js': `import { GET } from '../app/hello+api';\nexport const greet = () => GET();`,
    });
    expect(message).toBe(
      'lib/greet.js: app/hello+api.js runs on the server only, and the client would get it: ' +
        `index.js → screens/home.js → lib/greet.js → app/hello+api.js. ${HELLO_FIX}`,
    );
  });

  it('by a dynamic import', async () => {
    expect(await refusal({ 'index.js': `import('./app/hello+api');` })).toContain('index.js → app/hello+api.js');
  });

  it('by require', async () => {
    expect(await refusal({ 'index.js': `require('./app/+middleware');` })).toContain('index.js → app/+middleware.js');
  });

  it('through a barrel', async () => {
    const message = await refusal({
      'index.js': `import { one } from './all';\none();`,
      'all.js': `export * from './one';\nexport { GET } from './app/hello+api';`,
      'one.js': `export const one = () => 1;`,
    });
    expect(message).toContain('index.js → all.js → app/hello+api.js');
  });

  it('by the variant of one platform, only in the bundle of that platform', async () => {
    const files = {
      'index.js': `import './part';`,
      'part.js': `export {};`,
      'part.android.js': `import './app/hello+api';`,
    };
    expect(await refusal(files, { platform: 'android' })).toContain('index.js → part.android.js → app/hello+api.js');
    expect(await refusal(files, { platform: 'ios' })).toBe('It was built.');
  });

  it('when it is requested as an entry, which a development server URL can do', async () => {
    expect(await refusal({}, { entry: 'app/hello+api.js' })).toContain('app/hello+api.js runs on the server only');
  });

  it('by appkit-server, whether or not it is installed', async () => {
    const message = await refusal({ 'index.js': `import { origin } from 'appkit-server';\norigin();` });
    expect(message).toBe(
      'index.js: appkit-server runs on the server only, and the client would get it: index.js → appkit-server. ' +
        'Use it in a loader or in a route. Pages can import from appkit-router.',
    );
  });

  it('by an alias of appkit-server', async () => {
    const message = await refusal(
      {
        'index.js': `import '@server';`,
        'node_modules/appkit-server/package.json': '{ "name": "appkit-server", "main": "./lib/index.js" }',
        'node_modules/appkit-server/lib/index.js': 'export {};',
      },
      {
        config: {
          resolver: {
            resolveRequest: (context: { resolveRequest: Function }, name: string, platform: string) =>
              context.resolveRequest(context, name.replace('@server', 'appkit-server'), platform),
          },
        },
      },
    );
    expect(message).toContain('index.js → appkit-server');
  });

  it.each(['server-only', 'appkit-server/server-only'])('by a module that imports %s', async (marker) => {
    const message = await refusal({
      'index.js': `import './keys';`,
      'keys.js': `import '${marker}';\nexport const key = 1;`,
    });
    expect(message).toBe(
      `index.js: keys.js is marked as server code by import '${marker}', and the client would get it: ` +
        'index.js → keys.js. Use it in a loader or in a route, and import only its types elsewhere.',
    );
  });
});

describe('what is built', () => {
  it('has appkit-server/match, which client and server share', async () => {
    const projectRoot = await createProject({
      'index.js': `import { rank } from 'appkit-server/match';\nrank();`,
      'node_modules/appkit-server/package.json': '{ "name": "appkit-server", "exports": { "./match": "./match.js" } }',
      'node_modules/appkit-server/match.js': `export { rank } from './rank.js';`,
      'node_modules/appkit-server/rank.js': `export const rank = () => 'the ranking';`,
    });
    expect(await bundleWithMetro(projectRoot)).toContain('the ranking');
  });

  it('has the pages of a require.context, and nothing of the routes next to them', async () => {
    const projectRoot = await createProject({
      ...SERVER,
      'index.js': `const pages = require.context('./app');\npages.keys().forEach(pages);`,
      'app/index.js': `export default () => 'the page';`,
      'app/books/[id].js': `export default () => 'a book';`,
    });
    const code = await bundleWithMetro(projectRoot);
    expect(code).toContain('the page');
    expect(code).toContain('a book');
    expect(code).not.toContain(SECRET);
  });

  it('starts the chain at a page when require.context leads there', async () => {
    const message = await refusal({
      'index.js': `require.context('./app');`,
      'app/index.js': `import '../lib/greet';`,
      'lib/greet.js': `import '../app/hello+api';`,
    });
    expect(message).toContain('the client would get it: app/index.js → lib/greet.js → app/hello+api.js.');
  });

  it('has neither the loader of a page nor anything that only the loader needs', async () => {
    const projectRoot = await createProject({
      'index.js': `require.context('./app');`,
      'app/index.js': `
        import { secret } from '../server/secret';
        import { StatusError } from 'appkit-server';
        export const loader = () => { if (!secret) throw new StatusError(404); return secret; };
        export default () => 'the page';`,
      'server/secret.js': `import 'server-only';\nexport const secret = '${SECRET}';`,
    });
    const code = await bundleWithMetro(projectRoot);
    expect(code).toContain('the page');
    expect(code).not.toContain(SECRET);
  });

  it('is not built when a page needs the same code for both', async () => {
    const message = await refusal({
      'index.js': `require.context('./app');`,
      'app/index.js': `export const loader = () => '${SECRET}';\nexport default () => loader();`,
    });
    expect(message).toContain('app/index.js:2:22: The export loader stays on the server');
  });

  it('has the parts of appkit-router that a client without its pages needs', async () => {
    const projectRoot = await createProject({
      'index.js': `import 'appkit-router';`,
      'node_modules/appkit-router/package.json':
        '{ "name": "appkit-router", "exports": { ".": "./index.js", "./fetch": "./fetch.js" } }',
      'node_modules/appkit-router/index.js': `import(globalThis.manifest);`,
      'node_modules/appkit-router/fetch.js': `export const fetch = 'the fetch';`,
    });
    expect(await bundleWithMetro(projectRoot)).toContain('the fetch');
  });

  it('has no loader of a page in the folder that the app config names', async () => {
    const projectRoot = await createProject({
      'app.json': '{ "plugins": [["appkit-router", { "root": "src/pages" }]] }',
      'index.js': `import './src/pages/home';`,
      'src/pages/home.js': `export const loader = () => '${SECRET}';\nexport const page = 1;`,
    });
    expect(await bundleWithMetro(projectRoot)).not.toContain(SECRET);
  });

  it('has no loader of a page in a folder that is a symbolic link', async () => {
    const projectRoot = await createProject({
      'index.js': `import './app/home';`,
      'parts/routes/home.js': `export const loader = () => '${SECRET}';\nexport const page = 'the page';`,
    });
    await symlink('parts/routes', path.join(projectRoot, 'app'));
    const code = await bundleWithMetro(projectRoot);
    expect(code).toContain('the page');
    expect(code).not.toContain(SECRET);
  });

  it('uses the resolver and the transformer of the app', async () => {
    const projectRoot = await createProject({
      'index.js': `import '@/part';`,
      'src/part.js': `export const found = 'PLACEHOLDER';`,
      'transformer.cjs': `
        const { transform } = require(${JSON.stringify((await createMetroConfig('/')).transformer.babelTransformerPath)});
        exports.transform = ({ src, ...rest }) => transform({ ...rest, src: src.replace('PLACEHOLDER', 'by the app') });`,
    });
    const code = await bundleWithMetro(projectRoot, {
      config: {
        transformer: { babelTransformerPath: path.join(projectRoot, 'transformer.cjs') },
        resolver: {
          resolveRequest: (context: { resolveRequest: Function }, name: string, platform: string) =>
            context.resolveRequest(context, name.replace(/^@/, path.join(projectRoot, 'src')), platform),
        },
      },
    });
    expect(code).toContain('by the app');
  });
});

describe('the environment variables of a build', () => {
  const value = "https://api.test/?a='b'";

  /** Bundles a project, and runs the code, which sets `globalThis.seen`. */
  async function run(projectRoot: string, config: object = {}): Promise<{ code: string; seen: unknown }> {
    vi.stubEnv('APPKIT_PUBLIC_API', value);
    vi.stubEnv('DATABASE_URL', SECRET);
    onTestFinished(() => void vi.unstubAllEnvs());
    const code = await bundleWithMetro(projectRoot, { config });
    // The objects of another realm have other classes.
    return { code, seen: JSON.parse(runInNewContext(`${code};JSON.stringify(globalThis.seen);`) as string) };
  }

  it('are in the bundle if their names begin with APPKIT_PUBLIC_, and no others', async () => {
    const projectRoot = await createProject({
      'index.js': `
        const { read } = require('./read');
        const { APPKIT_PUBLIC_API } = process.env;
        globalThis.seen = [process.env.APPKIT_PUBLIC_API, APPKIT_PUBLIC_API, read('APPKIT_PUBLIC_API'), typeof read('DATABASE_URL')];`,
      'read.js': `exports.read = (name) => process.env[name];`,
    });
    const { code, seen } = await run(projectRoot);
    expect(seen).toEqual([value, value, value, 'undefined']);
    expect(code).not.toContain(SECRET);
  });

  it('are set next to what the app itself sets first', async () => {
    const projectRoot = await createProject({
      'first.js': `globalThis.first = 'of the app';`,
      'index.js': `globalThis.seen = [globalThis.first, process.env.APPKIT_PUBLIC_API];`,
    });
    const getPolyfills = ({ platform }: { platform: string }): string[] =>
      platform === 'ios' ? [path.join(projectRoot, 'first.js')] : [];
    const { seen } = await run(projectRoot, { serializer: { getPolyfills } });
    expect(seen).toEqual(['of the app', value]);
  });
});

describe('with the cache of an earlier build', () => {
  it('an import added since is refused with its chain, and a removed one is not named', async () => {
    const cacheStores = [new FileStore({ root: await createFolder() })];
    const projectRoot = await createProject({
      ...SERVER,
      'index.js': `import './part';`,
      'part.js': `export const part = 1;`,
    });
    const build = (): Promise<string> => bundleWithMetro(projectRoot, { config: { cacheStores } });
    await build();
    await writeFiles(projectRoot, { 'part.js': `import './app/hello+api';` });
    await expect(build()).rejects.toThrow('index.js → part.js → app/hello+api.js');
    await expect(build()).rejects.toThrow('index.js → part.js → app/hello+api.js');
    await writeFiles(projectRoot, { 'part.js': `export const part = 2;` });
    expect(await build()).toContain('part = 2');
  });

  it('a changed app config changes the origin', async () => {
    const cacheStores = [new FileStore({ root: await createFolder() })];
    const config = (origin: string): Record<string, string> => ({
      'app.json': JSON.stringify({ plugins: [['appkit-router', { origin }]] }),
    });
    const projectRoot = await createProject({
      ...config('https://one.test'),
      'index.js': `import { origin } from 'appkit-router/app-origin';\nconsole.log(origin);`,
    });
    const build = (): Promise<string> => bundleWithMetro(projectRoot, { config: { cacheStores } });
    expect(await build()).toContain('"https://one.test"');
    await writeFiles(projectRoot, config('https://two.test'));
    const code = await build();
    expect(code).toContain('"https://two.test"');
    expect(code).not.toContain('https://one.test');
  });
});

describe('the app config', () => {
  const wrap = async (files: Record<string, string>, options = {}): Promise<string> => {
    const projectRoot = await createProject(files);
    withAppkit(await createMetroConfig(projectRoot), options);
    return readFile(path.join(projectRoot, '.appkit/native/origin.js'), 'utf8');
  };

  it('may be a program, and extra.router.origin wins over the option', async () => {
    const written = await wrap({
      'app.config.ts': `
        console.log('hello');
        const origin: string = 'https://option.test/';
        export default async () => ({ plugins: [['appkit-router', { origin }]], extra: { router: { origin: 'https://deployed.test/path' } } });`,
    });
    expect(written).toBe(
      `export const origin = "https://deployed.test";\nexport const base = "";\nexport const developmentPort = 8082;\n`,
    );
  });

  it('is ignored in a build that a server was deployed for', async () => {
    const files = {
      'app.json': '{ "plugins": [["appkit-router", { "origin": "https://option.test" }]] }',
      '.appkit/deployment.json': '{"origin":"https://of-this-build.test"}',
    };
    expect(await wrap(files)).toContain('"https://option.test"');
    vi.stubEnv('APPKIT_UNSTABLE_DEPLOY_SERVER', '1');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await wrap(files)).toContain('"https://of-this-build.test"');
    expect(await wrap({ 'app.json': files['app.json'] })).toContain('"https://option.test"');
  });

  it('is refused with its problems', async () => {
    await expect(wrap({ 'app.json': '{ "extra": { "router": { "origin": "example.com" } } }' })).rejects.toThrow(
      'withAppkit cannot read the app config.\napp.json: The key extra.router.origin is "example.com".',
    );
  });

  it('says below which path the server answers', async () => {
    expect(await wrap({ 'app.json': '{ "web": { "base": "/shop" } }' })).toContain('export const base = "/shop";\n');
  });

  it('is not needed', async () => {
    expect(await wrap({}, { developmentPort: 3000 })).toBe(
      'export const origin = undefined;\nexport const base = "";\nexport const developmentPort = 3000;\n',
    );
  });

  it('does not help a config without a transformer, or an invalid port', async () => {
    expect(() => withAppkit({})).toThrow('has no transformer.babelTransformerPath');
    await expect(wrap({}, { developmentPort: 0 })).rejects.toThrow('developmentPort: 0');
  });
});
