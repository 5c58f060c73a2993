import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Manifest } from 'appkit-server/manifest';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSite } from '../fixtures/create-site.ts';
import { callGet, writeFiles } from '../fixtures/create-project.ts';
import { exportUncompressed } from '../fixtures/export-uncompressed.ts';

const load = createRequire(import.meta.url);

/** A server's response for a page. */
async function render(outputDir: string, name: string, params: Record<string, string> = {}): Promise<string> {
  const page: { GET: (request: Request, params: Record<string, string>) => Promise<Response> } = load(
    path.join(outputDir, `server/_appkit/pages/${name}.js`),
  );
  const response = await page.GET(new Request(`http://localhost/${name}`), params);
  return (await response.text()).replaceAll('<!-- -->', '');
}

const page = (imports: string, value: string): string => `import { useLoaderData } from 'appkit-router';
${imports}
export const loader = async () => ({ value: ${value} });
export default () => <p>{JSON.stringify(useLoaderData().value)}</p>;`;

it('shares the modules of the routes with loaders', async () => {
  const projectRoot = await createSite({
    'lib/count.ts':
      'export let count = 0; export const next = () => ++count; export default function own() { return 7; }',
    'lib/count.cjs': 'let count = 0; exports.next = () => ++count;',
    'lib/all.ts': "export * from './count.ts'; export const all = new Map();",
    'app/a+api.ts': `import own, { next } from '../lib/count.ts'; import cjs from '../lib/count.cjs'; import { all } from '../lib/all.ts';
      export const GET = () => Response.json([own(), next(), cjs.next(), all.set(String(all.size), 1).size]);`,
    'app/b.tsx': page(
      "import own, { count, next } from '../lib/count.ts'; import cjs from '../lib/count.cjs'; import { all, next as again } from '../lib/all.ts';",
      '[own(), next(), count, again(), cjs.next(), all.set(String(all.size), 1).size]',
    ),
    'app/c.tsx': page(
      '',
      "[(await import('../lib/count.ts')).default(), (await import('../lib/count.ts')).next(), (await import('../lib/count.cjs')).default.next(), (await import('../lib/all.ts')).all.size]",
    ),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([7, 1, 1, 1]);
  expect(await render(outputDir, 'b')).toContain('<p>[7,2,2,3,2,2]</p>');
  expect(await render(outputDir, 'c')).toContain('<p>[7,4,3,2]</p>');
  expect(await callGet(outputDir, 'a+api.js')).toEqual([7, 5, 4, 3]);
});

it('keeps the state of what only one page imports, and which failed to load', async () => {
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"server"}}',
    'lib/pool.ts': 'globalThis.pagePools = (globalThis.pagePools ?? 0) + 1; export const pools = globalThis.pagePools;',
    'lib/connect.ts': `import { pools } from './pool.ts';
      globalThis.pageTries = (globalThis.pageTries ?? 0) + 1;
      if (globalThis.pageTries < 3) throw new Error('no database yet');
      export const connected = [pools, globalThis.pageTries];`,
    'app/a.tsx': page("import { connected } from '../lib/connect.ts';", 'connected'),
    'app/b.tsx': page('', '1'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  await expect(render(outputDir, 'a')).rejects.toThrow('no database yet');
  await expect(render(outputDir, 'a')).rejects.toThrow('no database yet');
  expect(await render(outputDir, 'a')).toContain('<p>[1,3]</p>');
});

it('shares modules that re-export the app’s own with `export *` and import something external', async () => {
  const projectRoot = await createSite({
    'lib/db.ts':
      "import { randomUUID } from 'node:crypto'; export * from './schema.ts'; export const pool = { id: randomUUID() };",
    'lib/schema.ts': 'export const rows = []; export * as path from "node:path";',
    'lib/names.ts':
      "import { posix } from 'node:path'; export * from 'fs'; export const names = []; export const join = posix.join;",
    'app/a+api.ts': `import { path, pool, rows } from '../lib/db.ts'; import { names } from '../lib/names.ts';
      export const GET = () => Response.json([pool.id, rows.push(1), names.push(1), typeof path.join]);`,
    'app/b.tsx': page(
      "import { path, pool, rows } from '../lib/db.ts'; import { join, names, readFileSync } from '../lib/names.ts';",
      '[pool.id, rows.push(1), names.push(join("n", "m")), typeof path.join, typeof readFileSync]',
    ),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  const [id] = (await callGet(outputDir, 'a+api.js')) as string[];
  // What re-exports something external with `export *` is not shared.
  expect(await render(outputDir, 'b')).toContain(
    `<p>[&quot;${id}&quot;,2,1,&quot;function&quot;,&quot;function&quot;]</p>`,
  );
});

it('leaves to pages what re-exports something external with `export *`, when a route imports it later too', async () => {
  const projectRoot = await createSite({
    'lib/files.ts': "export * from 'fs'; export const files = [];",
    'lib/index.ts': "export * from './files.ts';",
    'app/a+api.ts': `import { files } from '../lib/files.ts'; const later = () => import('../lib/index.ts');
      export const GET = async () => Response.json([files.push(1), typeof (await later()).readFileSync]);`,
    'app/b.tsx': page(
      "import { readFileSync } from '../lib/files.ts'; import * as all from '../lib/index.ts';",
      '[typeof readFileSync, typeof all.readFileSync]',
    ),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await callGet(outputDir, 'a+api.js')).toEqual([1, 'function']);
  expect(await render(outputDir, 'b')).toContain('<p>[&quot;function&quot;,&quot;function&quot;]</p>');
});

it('leaves to pages the modules that mean something else there, and their importers', async () => {
  const projectRoot = await createSite({
    'lib/label.ts':
      "export const label = import.meta.env?.APPKIT_PUBLIC_LABEL ?? 'none'; export const seen = new Map();",
    'lib/uses-label.ts': "import { label } from './label.ts'; export const text = `label ${label}`;",
    'lib/mail.tsx': "import { useState } from 'react'; export function Mail() { return <b>{useState('mail')[0]}</b>; }",
    'app/a+api.tsx': `import { text } from '../lib/uses-label.ts'; import { Mail } from '../lib/mail.tsx';
      export const GET = () => Response.json([text, typeof Mail]);`,
    'app/b.tsx': `import { useLoaderData } from 'appkit-router'; import { Mail } from '../lib/mail.tsx'; import { text } from '../lib/uses-label.ts';
      export const loader = () => 1; export default () => <p>{text} <Mail /> {useLoaderData()}</p>;`,
  });
  vi.stubEnv('APPKIT_PUBLIC_LABEL', 'of the export');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await render(outputDir, 'b')).toContain('<p>label of the export <b>mail</b> 1</p>');
});

it('leaves to pages the modules that vite.config changes, and their importers, and names them', async () => {
  const projectRoot = await createSite({
    'vite.config.js': `const writes = [];
      export default { plugins: [{
        name: 'translate',
        transform: (code, id) => id.endsWith('words.ts') ? code.replace('hello', 'hallo') : { code, map: null },
        generateBundle: () => void (globalThis.timesGenerated = (globalThis.timesGenerated ?? 0) + 1),
      }] };`,
    'lib/words.ts': "export const word = 'hello';",
    'lib/uses-words.ts': "export { word } from './words.ts';",
    'lib/count.ts': 'let count = 0; export const next = () => ++count;',
    'app/a+api.ts': `import { word } from '../lib/uses-words.ts'; import { next } from '../lib/count.ts';
      export const GET = () => Response.json([word, next()]);`,
    'app/b.tsx': page(
      "import { word } from '../lib/uses-words.ts'; import { next } from '../lib/count.ts';",
      '[word, next()]',
    ),
  });
  const { outputDir, warnings } = await exportUncompressed({ projectRoot });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['hello', 1]);
  expect(await render(outputDir, 'b')).toContain('<p>[&quot;hallo&quot;,2]</p>');
  expect(warnings).toEqual([
    expect.stringMatching(/^vite\.config: The plugin translate changes lib\/words\.ts for pages\. /),
  ]);
  // Once per bundle: the one that only looks writes nothing.
  expect(Reflect.get(globalThis, 'timesGenerated')).toBe(2);
});

it('replaces the constants of vite.config in routes too, in modules that pages and routes share', async () => {
  const projectRoot = await createSite({
    'vite.config.js': `export default { define: { __BUILD__: '"b42"', __LIMITS__: { size: 3 } }, plugins: [{
      name: 'own',
      config: () => ({ define: { __OWN__: 'Math.max(1, 2)' } }),
    }] };`,
    'lib/version.ts': `let count = 0;
      export const version = () => [__BUILD__, __LIMITS__.size, __OWN__, typeof __BUILD__, typeof __MISSING__, ++count];`,
    'app/+middleware.ts':
      'import { setResponseHeaders } from "appkit-server"; export default () => setResponseHeaders({ "x-build": __BUILD__ });',
    'app/a+api.ts': "import { version } from '../lib/version.ts'; export const GET = () => Response.json(version());",
    'app/b.tsx': page("import { version } from '../lib/version.ts';", 'version()'),
  });
  const { outputDir, warnings } = await exportUncompressed({ projectRoot });
  const constants = ['b42', 3, 2, 'string', 'undefined'];
  expect(await callGet(outputDir, 'a+api.js')).toEqual([...constants, 1]);
  const shown = JSON.stringify([...constants, 2]).replaceAll('"', '&quot;');
  expect(await render(outputDir, 'b')).toContain(`<p>${shown}</p>`);
  expect(warnings).toEqual([]);
  const middleware = path.join(outputDir, 'server/_appkit/functions/+middleware.js');
  expect(await readFile(middleware, 'utf8')).toContain('b42');
  const config = path.join(projectRoot, 'vite.config.js');
  await writeFile(config, (await readFile(config, 'utf8')).replace('b42', 'b43'));
  await exportUncompressed({ projectRoot });
  expect(await readFile(middleware, 'utf8')).toContain('b43');
});

it('replaces constants whose values are undefined, such as those of variables that are not set, as Vite does', async () => {
  const projectRoot = await createSite({
    'vite.config.js': 'export default { define: { __RELEASE__: JSON.stringify(process.env.APPKIT_TEST_NOT_SET) } };',
    'app/a+api.ts': 'export const GET = () => Response.json([typeof __RELEASE__, __RELEASE__ ?? 1]);',
    'app/b.tsx': page('', '[typeof __RELEASE__, __RELEASE__ ?? 1]'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['undefined', 1]);
  expect(await render(outputDir, 'b')).toContain('<p>[&quot;undefined&quot;,1]</p>');
});

it('replaces constants behind casts', async () => {
  const casts = `[(process.env as any).KIND, process.env!.KIND, (<any>process.env).KIND, (process.env satisfies object as
    // What TypeScript does not know.
    { KIND: string }).KIND, (import.meta as any).env.STAGE, (import.meta.env as any)!.STAGE, (globalThis as any)?.SIZES.small,
    ((process: any) => (process.env as any).KIND)({ env: { KIND: 'own' } })]`;
  const projectRoot = await createSite({
    'vite.config.js': `export default { define: {
      'process.env.KIND': '"kind"', 'import.meta.env.STAGE': '"stage"', 'globalThis.SIZES.small': 1 } };`,
    'app/a+api.ts': `export const GET = () => Response.json(${casts});`,
    'app/b.tsx': page('', casts.replace('(<any>process.env)', '(process.env as any)')),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  const values = ['kind', 'kind', 'kind', 'kind', 'stage', 'stage', 1, 'own'];
  expect(await callGet(outputDir, 'a+api.js')).toEqual(values);
  expect(await render(outputDir, 'b')).toContain(`<p>${JSON.stringify(values).replaceAll('"', '&quot;')}</p>`);
});

it('leaves routes and loaders the variables of the process, whatever vite.config says about all of them', async () => {
  const projectRoot = await createSite({
    'vite.config.js': `export default { define: { 'process.env': {}, 'globalThis.process.env': {}, 'process.env.KIND': '"constant"' } };`,
    'app/a+api.ts': `export const GET = () =>
      Response.json([process.env.APPKIT_TEST_SET, globalThis.process.env.APPKIT_TEST_SET, process.env.KIND]);`,
    'app/b.tsx': page('', '[process.env.APPKIT_TEST_SET, process.env.KIND]'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  vi.stubEnv('APPKIT_TEST_SET', 'of the server');
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['of the server', 'of the server', 'constant']);
  expect(await render(outputDir, 'b')).toContain('<p>[&quot;of the server&quot;,&quot;constant&quot;]</p>');
});

it('bundles pages once if no plugin of vite.config can change what they share with routes', async () => {
  const projectRoot = await createSite({
    'vite.config.js': `export default { plugins: [{
      name: 'own',
      buildStart: () => void (globalThis.timesStarted = (globalThis.timesStarted ?? 0) + 1),
      load: { filter: { id: /^\\/@own$/ }, handler: () => 'export {};' },
      transform: { filter: { id: { include: [/\\.css$/] } }, handler: (code) => code },
    }] };`,
    'lib/count.ts': 'let count = 0; export const next = () => ++count;',
    'app/a+api.ts': "import { next } from '../lib/count.ts'; export const GET = () => Response.json(next());",
    'app/b.tsx': page("import { next } from '../lib/count.ts';", 'next()'),
  });
  const { outputDir, warnings } = await exportUncompressed({ projectRoot });
  expect(await callGet(outputDir, 'a+api.js')).toBe(1);
  expect(await render(outputDir, 'b')).toContain('<p>2</p>');
  expect(warnings).toEqual([]);
  // For the client and for the server.
  expect(Reflect.get(globalThis, 'timesStarted')).toBe(2);
});

it('renders pages during the export with the modules that others share with routes, and produces the same bytes again', async () => {
  const projectRoot = await createSite({
    'lib/db.server/index.ts':
      "import './before.ts'; import { format } from '../format.ts'; export const place = import.meta.url; export const rows = ['row']; export const find = () => rows.map(format);",
    'lib/db.server/before.ts': 'globalThis.before = (globalThis.before ?? 0) + 1;',
    'lib/format.ts': 'export const format = (text) => `${text} formatted`;',
    'app/a+api.ts': `import { find } from '../lib/db.server'; export const GET = () => Response.json([find(), globalThis.before]);`,
    'app/b.tsx': page("import { find } from '../lib/db.server';", '[find(), globalThis.before]'),
    'app/still.tsx': "import { format } from '../lib/format'; export default () => <p>{format('still')}</p>;",
  });
  const first = await exportUncompressed({ projectRoot });
  const before = await readAll(first);
  expect(before['server/_appkit/pages/still.html.js']).toContain('<p>still formatted</p>');
  expect(await render(first.outputDir, 'b')).toContain('<p>[[&quot;row formatted&quot;],1]</p>');
  expect(await callGet(first.outputDir, 'a+api.js')).toEqual([['row formatted'], 1]);
  const codes = Object.entries(before).filter(([name, code]) => name.endsWith('.js') && code.includes('} formatted'));
  expect(codes.filter(([name]) => name.startsWith('server/')).map(([name]) => name)).toHaveLength(1);
  expect(await readAll(await exportUncompressed({ projectRoot }))).toEqual(before);
  expect(await readAll(await exportUncompressed({ projectRoot, clear: true }))).toEqual(before);
  await writeFiles(projectRoot, {
    'app/a+api.ts': `import { find } from '../lib/db.server'; export const GET = () => Response.json(['edited', find()]);`,
  });
  const after = await readAll(await exportUncompressed({ projectRoot }));
  const ofSite = (files: Record<string, string>): unknown =>
    Object.entries(files).filter(([name]) => /^client\/|\/_appkit\/(?:site|pages)\//.test(name));
  expect(ofSite(after)).toEqual(ofSite(before));
  expect(after['server/_appkit/functions/a+api.js']).toContain('edited');
});

it('runs a module that threw again for the next page, and for routes', async () => {
  const projectRoot = await createSite({
    'lib/fails.ts':
      "globalThis.pageFails = (globalThis.pageFails ?? 0) + 1; if (globalThis.pageFails < 3) throw new Error('not yet'); export const value = 'here';",
    'app/a+api.ts':
      "import { value } from '../lib/fails.ts'; export const GET = () => Response.json([value, globalThis.pageFails]);",
    'app/b.tsx': page("import { value } from '../lib/fails.ts';", '[value, globalThis.pageFails]'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  await expect(render(outputDir, 'b')).rejects.toThrow('not yet');
  await expect(async () => callGet(outputDir, 'a+api.js')).rejects.toThrow('not yet');
  expect(await render(outputDir, 'b')).toContain('<p>[&quot;here&quot;,3]</p>');
  expect(await callGet(outputDir, 'a+api.js')).toEqual(['here', 3]);
});

it('never gives pages half of a CommonJS module that threw', async () => {
  const projectRoot = await createSite({
    'app.json': '{"web":{"output":"server"}}',
    'lib/half.cjs':
      "exports.first = 1; if (!globalThis.isPageUp) { globalThis.isPageUp = true; throw new Error('not up yet'); } exports.second = 2;",
    'app/a.tsx': page("import half from '../lib/half.cjs';", 'half'),
    'app/b.tsx': page("import half from '../lib/half.cjs';", 'half'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  await expect(render(outputDir, 'a')).rejects.toThrow('not up yet');
  expect(await render(outputDir, 'b')).toContain('<p>{&quot;first&quot;:1,&quot;second&quot;:2}</p>');
  expect(await render(outputDir, 'a')).toContain('<p>{&quot;first&quot;:1,&quot;second&quot;:2}</p>');
});

it('runs the modules of pages in the order of their imports, next to those of routes', async () => {
  const projectRoot = await createSite({
    'lib/first.ts': 'globalThis.pageOrder = [...(globalThis.pageOrder ?? []), 1];',
    'lib/second.ts':
      'globalThis.pageOrder = [...(globalThis.pageOrder ?? []), 2]; export const order = globalThis.pageOrder;',
    'lib/of-route.ts':
      'globalThis.pageOrder = [...(globalThis.pageOrder ?? []), 3]; export const all = globalThis.pageOrder;',
    'app/a+api.ts': "import { all } from '../lib/of-route.ts'; export const GET = () => Response.json(all);",
    'app/b.tsx': page(
      "import '../lib/first.ts'; import { order } from '../lib/second.ts'; import { all } from '../lib/of-route.ts';",
      '[order, all]',
    ),
    'app/c.tsx': page("import { order } from '../lib/second.ts';", 'order'),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await render(outputDir, 'b')).toContain('<p>[[1,2],[1,2,3]]</p>');
  expect(await render(outputDir, 'c')).toContain('<p>[1,2]</p>');
});

async function readAll({
  outputDir,
  files,
}: {
  outputDir: string;
  files: { path: string }[];
}): Promise<Record<string, string>> {
  const read = files.map(async (file) => [file.path, await readFile(path.join(outputDir, file.path), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(read));
}

it('caches pages whose cache() is in a chunk that they share with a route', async () => {
  const own = (source: string): string => `import { cache } from 'appkit-server';
    export const loader = () => { cache({ maxAge: 60 }); return ${source}; };
    export default () => null;`;
  const route = (body: string): string =>
    `import { cache } from 'appkit-server'; export const GET = () => { ${body} };`;
  const plain = 'export const loader = () => 1; export default () => null;';
  const usesOf = async (files: Record<string, string>): Promise<unknown[]> => {
    const projectRoot = await createSite(files);
    const { outputDir } = await exportUncompressed({ projectRoot });
    const { manifest } = load(path.join(outputDir, 'server/index.js')) as { manifest: Manifest };
    return [manifest.usesCache, manifest.pages?.find(({ pattern }) => pattern === '/b/[id]')?.usesCache];
  };
  const keeping = route('cache({ maxAge: 60 }); return new Response();');
  const silent = 'export const GET = () => new Response();';
  expect(await usesOf({ 'app/a+api.ts': silent, 'app/b/[id].tsx': own('1') })).toEqual([true, true]);
  expect(await usesOf({ 'app/a+api.ts': keeping, 'app/b/[id].tsx': own('1') })).toEqual([true, true]);
  // Modules that only routes call do not matter for pages.
  expect(await usesOf({ 'app/a+api.ts': keeping, 'app/b/[id].tsx': plain })).toEqual([true, undefined]);
});

it('keeps each module of a page in its own mode', async () => {
  const tellMode = (variable: string): string =>
    `{ try { ${variable} = 1; return 'sloppy'; } catch { return 'strict'; } }`;
  const projectRoot = await createSite({
    'lib/es.ts': `export function es() ${tellMode('leakedEsOfPage')}`,
    'lib/sloppy.cjs': `const strict = require('./strict.cjs'); exports.all = () => [exports.sloppy(), strict()];
      exports.sloppy = () => ${tellMode('leakedSloppyOfPage')};`,
    'lib/strict.cjs': `'use strict'; module.exports = () => ${tellMode('leakedStrictOfPage')};`,
    'app/x+api.ts': 'export const GET = () => new Response();',
    'app/a.tsx': page(
      "import { es } from '../lib/es.ts'; import sloppy from '../lib/sloppy.cjs';",
      '[es(), ...sloppy.all()]',
    ),
  });
  const { outputDir } = await exportUncompressed({ projectRoot });
  expect(await render(outputDir, 'a')).toContain('<p>[&quot;strict&quot;,&quot;sloppy&quot;,&quot;strict&quot;]</p>');
});
