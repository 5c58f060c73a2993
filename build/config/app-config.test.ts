import { utimes } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { readAppConfig } from './app-config.ts';
import type { AppConfig } from './app-config.ts';
import { createProject, exportProblems, writeFiles } from '../fixtures/create-project.ts';

const plugin = (options: unknown): unknown => ({ plugins: ['other', ['appkit-router', options]] });

async function read(files: Record<string, string>): Promise<AppConfig> {
  const { config, problems } = await readAppConfig(await createProject(files));
  expect(problems).toEqual([]);
  return config;
}

async function readProblems(config: unknown): Promise<string[]> {
  const root = await createProject({ 'app.json': JSON.stringify(config) });
  return (await readAppConfig(root)).problems.map(({ file, message, fix }) => `${file}: ${message} ${fix}`);
}

describe('readAppConfig', () => {
  it('reads how many exports assets are kept for', async () => {
    expect(await read({ 'app.json': '{ "web": { "keepAssets": 0 } }' })).toMatchObject({ keepAssets: 0 });
    for (const keepAssets of [-1, 1.5, '1', true, null]) {
      expect(await readProblems({ web: { keepAssets } })).toEqual([
        `app.json: The key web.keepAssets is ${JSON.stringify(keepAssets)}. Make it a whole number, 0 or more.`,
      ]);
    }
  });

  it('reads the path that the app is below', async () => {
    const of = (base: unknown): Record<string, string> => ({ 'app.json': JSON.stringify({ web: { base } }) });
    for (const base of ['/shop', '/a/b-c/~d.e_1']) expect(await read(of(base))).toMatchObject({ base });
    for (const base of ['/', undefined, null]) expect(await read(of(base))).not.toHaveProperty('base');
  });

  it.each([
    'shop',
    '/shop/',
    '//shop',
    '/a//b',
    '/..',
    '/a/../b',
    '/.',
    '/.well-known',
    '/a b',
    '/caf\u00e9',
    '/a%20b',
    '/a?b',
    '/a#b',
    'https://example.com/shop',
    '',
    './',
    '/[id]',
    String.raw`/a\b`,
    5,
    ['/shop'],
  ])('refuses %j as the path that the app is below', async (base) => {
    expect(await readProblems({ web: { base } })).toEqual([
      `app.json: The key web.base is ${JSON.stringify(base)}. Make it a path such as "/shop": a slash before each name, none at the end, and in names only letters, digits and - . _ ~.`,
    ]);
  });

  it('reads how the paths of pages end', async () => {
    const of = (trailingSlash: unknown): Record<string, string> => ({
      'app.json': JSON.stringify({ web: { trailingSlash } }),
    });
    expect(await read(of('never'))).toMatchObject({ trailingSlash: 'never' });
    expect(await read(of('always'))).toMatchObject({ trailingSlash: 'always' });
    expect(await read(of('ignore'))).not.toHaveProperty('trailingSlash');
    expect(await readProblems({ web: { trailingSlash: true } })).toEqual([
      'app.json: The key web.trailingSlash is true. Make it "ignore", "never" or "always".',
    ]);
  });

  it('has defaults without a config file', async () => {
    expect(await read({ 'package.json': '{}' })).toEqual({
      file: 'app.json',
      implicitHead: false,
      external: [],
      strictFetch: false,
    });
  });

  it('reads app.json, with the object under expo or without', async () => {
    const config = { web: { output: 'server' }, ...(plugin({ implicitHead: true, root: 'src/r' }) as object) };
    const expected = {
      file: 'app.json',
      output: 'server',
      implicitHead: true,
      root: 'src/r',
      external: [],
      strictFetch: false,
    };
    expect(await read({ 'app.json': JSON.stringify(config) })).toEqual(expected);
    expect(await read({ 'app.json': JSON.stringify({ expo: config }) })).toEqual(expected);
  });

  it('accepts the plugin by its name alone', async () => {
    expect(await read({ 'app.json': '{"plugins":["appkit-router"]}' })).toMatchObject({ external: [] });
  });

  it.each(['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'])('runs app.config.%s', async (extension) => {
    const start = extension.startsWith('c') ? 'module.exports =' : 'export default';
    const files = {
      'package.json': '{"type":"module"}',
      [`app.config.${extension}`]: `${start} { web: { output: 'static' } };`,
    };
    expect(await read(files)).toMatchObject({ file: `app.config.${extension}`, output: 'static' });
  });

  it('hands the object of app.json to a config function, which may be asynchronous', async () => {
    const files = {
      'app.json': '{"expo":{"web":{"output":"single"}}}',
      'app.config.mjs': 'export default async ({ config }) => ({ expo: { web: { output: config.web.output } } });',
    };
    expect(await read(files)).toMatchObject({ file: 'app.config.mjs', output: 'single' });
  });

  it('runs a config again after it has changed', async () => {
    const root = await createProject({ 'app.config.mjs': 'export default { web: { output: "static" } };' });
    expect((await readAppConfig(root)).config.output).toBe('static');
    await writeFiles(root, { 'app.config.mjs': 'export default { web: { output: "server" } };' });
    await utimes(path.join(root, 'app.config.mjs'), 2_000_000_000, 2_000_000_000);
    expect((await readAppConfig(root)).config.output).toBe('server');
  });

  it('names the key that has the wrong type', async () => {
    expect(await readProblems({ web: { output: 'spa' }, plugins: {} })).toEqual([
      'app.json: The key web.output is "spa". Make it "single", "static" or "server".',
      'app.json: The key plugins is {}. Make it a list.',
    ]);
    expect(await readProblems({ web: 'server' })).toEqual(['app.json: The key web is "server". Make it an object.']);
    expect(await readProblems(plugin({ apiRoutes: 'yes', external: 'pg', origin: 'example.com' }))).toEqual([
      'app.json: The option apiRoutes of appkit-router is "yes". Make it true or false.',
      'app.json: The option origin of appkit-router is "example.com". Make it a URL with http or https, such as "https://example.com".',
      'app.json: The option external of appkit-router is "pg". Make it a list of package names, such as ["better-sqlite3"].',
    ]);
  });

  it('names the known key of web that is nearest to an unknown one, along with the keys that others read', async () => {
    expect(await readProblems({ web: { output: 'server', favicon: './icon.png', bundler: 'metro' } })).toEqual([]);
    expect(await readProblems({ web: { outptu: 'single', ssr: true } })).toEqual([
      'app.json: The key web has no key outptu. Did you mean output?',
      'app.json: The key web has no key ssr. The keys read here are output ("single", "static" or "server"), base (a path), trailingSlash ("ignore", "never" or "always") and keepAssets (a number).',
    ]);
  });

  it('checks the deployed origin in extra, and ignores the other keys there', async () => {
    const extra = (value: unknown): Promise<string[]> => readProblems({ extra: value });
    const wanted = 'Make it a URL with http or https, such as "https://example.com".';
    expect(await extra({ router: { origin: 'https://example.com' }, other: 1 })).toEqual([]);
    expect(await extra({ router: { origin: 5 } })).toEqual([`app.json: The key extra.router.origin is 5. ${wanted}`]);
    expect(await extra({ router: { origin: 'example.com' } })).toEqual([
      `app.json: The key extra.router.origin is "example.com". ${wanted}`,
    ]);
    expect(await extra({ router: 'x' })).toEqual(['app.json: The key extra.router is "x". Make it an object.']);
    expect(await extra([])).toEqual(['app.json: The key extra is []. Make it an object.']);
  });

  it('refuses a second entry of the plugin', async () => {
    const plugins = ['appkit-router', ['appkit-router', { implicitHead: true }]];
    expect(await readProblems({ plugins })).toEqual([
      'app.json: appkit-router is listed 2 times in plugins. Keep one entry, with all options in it.',
    ]);
  });

  it('refuses invalid form origins', async () => {
    expect(
      await readProblems(plugin({ formOrigins: ['https://login.example', 'capacitor://localhost', '*'] })),
    ).toEqual([]);
    for (const formOrigins of ['https://login.example', ['https://login.example/'], ['login.example'], [1]]) {
      expect(await readProblems(plugin({ formOrigins }))).toEqual([
        expect.stringContaining(
          `The option formOrigins of appkit-router is ${JSON.stringify(formOrigins)}. Make it a list of origins`,
        ),
      ]);
    }
  });

  it('refuses invalid security schemes', async () => {
    const securitySchemes = {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      basic: { type: 'http', scheme: 'basic', description: 'For scripts.' },
      certificate: { type: 'mutualTLS' },
      'sign-in': {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://accounts.example/.well-known/openid-configuration',
      },
      oauth: { type: 'oauth2', flows: {} },
    };
    expect(await readProblems(plugin({ securitySchemes }))).toEqual([]);
    for (const wrong of [
      [],
      'bearer',
      { bearer: 'http' },
      { bearer: null },
      { bearer: { type: 'bearer' } },
      { bearer: { type: 'constructor' } },
      { bearer: { type: 'http' } },
      { bearer: { type: 'http', scheme: null } },
      { bearer: { type: 'http', scheme: '' } },
      { key: { type: 'apiKey', name: 'X-Key' } },
      { key: { type: 'apiKey', name: 7, in: 'header' } },
      { key: { type: 'apiKey', name: 'X-Key', in: 'nowhere' } },
      { key: { type: ['mutualTLS'] } },
      { oauth: { type: 'oauth2', flows: null } },
      { oauth: { type: 'oauth2', flows: [] } },
      { 'sign-in': { type: 'openIdConnect', openIdConnectUrl: {} } },
      { 'a b': { type: 'mutualTLS' } },
    ]) {
      expect(await readProblems(plugin({ securitySchemes: wrong }))).toEqual([
        expect.stringContaining(
          `The option securitySchemes of appkit-router is ${JSON.stringify(wrong)}. Make it an object of security schemes of OpenAPI`,
        ),
      ]);
    }
    expect(await read({ 'app.json': JSON.stringify(plugin({ securitySchemes })) })).toMatchObject({ securitySchemes });
  });

  it('names the known option that is nearest to an unknown one', async () => {
    expect(await readProblems(plugin({ externals: [], sitemap: false }))).toEqual([
      'app.json: appkit-router has no option externals. Did you mean external?',
      'app.json: appkit-router has no option sitemap. Known options: origin, root, redirects, rewrites, headers, cache, formOrigins, implicitHead, apiRoutes, external, strictFetch, securitySchemes.',
    ]);
  });

  it('reads redirects, rewrites and headers, and leaves out those that are empty', async () => {
    const redirects = [{ source: '/old/', destination: '/new', permanent: false }];
    const rewrites = [{ source: '/a', destination: '/b', methods: ['POST', 'GET'] }];
    const headers = { 'x-a': 'b' };
    const config = JSON.stringify(plugin({ redirects, rewrites, headers }));
    expect(await read({ 'app.json': config })).toMatchObject({
      redirects: [{ source: '/old', destination: '/new' }],
      rewrites: [{ source: '/a', destination: '/b', methods: ['GET', 'POST'] }],
      headers,
    });
    const empty = await read({ 'app.json': JSON.stringify(plugin({ redirects: [], rewrites: [], headers: {} })) });
    expect(Object.keys(empty)).toEqual(['file', 'implicitHead', 'external', 'strictFetch']);
  });

  it('points at the place where app.json is no longer JSON, or quotes it', async () => {
    expect(await exportProblems({ 'app.json': '{\n  "web": {},\n}' })).toMatchObject([
      { file: 'app.json', line: 3, column: 1 },
    ]);
    expect(await exportProblems({ 'app.json': '{\n  "web": oops\n}' })).toMatchObject([
      { file: 'app.json', message: expect.stringMatching(/^It is not valid JSON: .*"web": oops }/) },
    ]);
  });

  it('reports a config that throws, and one without a default export', async () => {
    expect(await exportProblems({ 'app.config.mjs': 'throw new Error("no key");' })).toMatchObject([
      { file: 'app.config.mjs', message: 'It failed to run: no key.' },
    ]);
    expect(await exportProblems({ 'app.config.mjs': 'export const web = {};' })).toMatchObject([
      { file: 'app.config.mjs', message: 'It has no default export.' },
    ]);
  });

  it('refuses two dynamic config files', async () => {
    expect(await exportProblems({ 'app.config.js': '', 'app.config.ts': '' })).toMatchObject([
      { file: 'app.config.js', message: 'There is also app.config.ts.' },
    ]);
  });
});
