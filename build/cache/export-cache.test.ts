import fs, { writeFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { propertyRuns } from '../../tools/property-runs.ts';
import { createProject, writeFiles } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { ExportError, exportApp } from '../index.ts';
import type { ExportOptions } from '../index.ts';
import { listFiles } from '../output/list-files.ts';

const ROUTE = "import { shared } from '../lib/shared';\nexport const GET = () => Response.json(shared);\n";

/** What an export writes or reports. */
async function exportAll(
  projectRoot: string,
  options: Omit<ExportOptions, 'projectRoot'> = {},
): Promise<Record<string, string>> {
  try {
    const { outputDir, warnings } = await exportApp({ projectRoot, ...options });
    const names = await listFiles(outputDir);
    const contents = names.map(async (name) => [name, await readFile(path.join(outputDir, name), 'latin1')] as const);
    return { ...Object.fromEntries(await Promise.all(contents)), warnings: warnings.join('\n') };
  } catch (error) {
    if (error instanceof ExportError) return { problems: error.message };
    throw error;
  }
}

/** The entries of the cache, with the time each was written: its inode is then new. */
async function readEntries(projectRoot: string): Promise<Map<string, number>> {
  const folder = path.join(projectRoot, '.appkit/cache');
  const names = (await readdir(folder)).filter((name) => name !== '.gitignore');
  const stats = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  return new Map(names.map((name, index) => [name, stats[index]?.ino ?? 0]));
}

/** An export that takes nothing from the cache and leaves it unchanged. */
async function exportAnew(
  projectRoot: string,
  options: Omit<ExportOptions, 'projectRoot'> = {},
): Promise<Record<string, string>> {
  const [folder, aside] = [path.join(projectRoot, '.appkit'), `${projectRoot}-cache`];
  await rename(folder, aside).catch(() => undefined); // There is none yet.
  const result = await exportAll(projectRoot, { ...options, clear: true });
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder).catch(() => undefined);
  return result;
}

describe('the cache of an export', () => {
  it('gives the same bytes again, and bundles nothing', async () => {
    const projectRoot = await createSite({
      'lib/shared.ts': "export const shared = 'first';",
      'app/a+api.ts': ROUTE,
      'app/index.tsx': "import { shared } from '../lib/shared';\nexport default () => <p>{shared}</p>;",
    });
    const anew = await exportAnew(projectRoot);
    expect(await exportAll(projectRoot)).toEqual(anew);
    const entries = await readEntries(projectRoot);
    // The routes, the site, the compressed files, and the findings about files.
    expect(entries.size).toBe(4);
    expect(await exportAll(projectRoot)).toEqual(anew);
    expect(await readEntries(projectRoot)).toEqual(entries);
  });

  it('bundles only the routes when only they changed', async () => {
    const projectRoot = await createSite({
      'lib/shared.ts': "export const shared = 'first';",
      'app/a+api.ts': ROUTE,
      'app/b+api.ts': 'export const GET = () => {};',
      'app/index.tsx': 'export default () => <p>page</p>;',
    });
    await exportAnew(projectRoot);
    await exportAll(projectRoot);
    const before = await readEntries(projectRoot);
    await writeFiles(projectRoot, { 'lib/shared.ts': "export const shared = 'second';" });
    const anew = await exportAnew(projectRoot);
    expect(await exportAll(projectRoot)).toEqual(anew);
    const after = await readEntries(projectRoot);
    // The routes and the findings about files: neither the site nor its compressed files.
    expect(after.size).toBe(4);
    expect([...after].filter(([name, inode]) => before.get(name) !== inode)).toHaveLength(2);
  });

  it('is emptied by clear', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': 'export const GET = () => {};' });
    await exportAnew(projectRoot);
    await exportAll(projectRoot);
    await writeFiles(projectRoot, { '.appkit/cache/other': 'x' });
    await exportAll(projectRoot, { clear: true });
    expect([...(await readEntries(projectRoot)).keys()]).not.toContain('other');
  });

  it('ignores entries that are damaged or cut off', async () => {
    const projectRoot = await createSite({
      'app/a+api.ts': 'export const GET = () => {};',
      'app/b+api.ts': 'export const PUT = () => {};',
      'app/index.tsx': 'export default () => <p>page</p>;',
    });
    const anew = await exportAnew(projectRoot);
    await exportAll(projectRoot);
    const [first = '', second = '', third = ''] = [...(await readEntries(projectRoot)).keys()].map((name) =>
      path.join(projectRoot, '.appkit/cache', name),
    );
    await writeFile(first, (await readFile(first, 'latin1')).replace('GET', 'PET').replace('PUT', 'BUT'), 'latin1');
    await writeFile(second, (await readFile(second)).subarray(0, -20));
    await writeFile(third, '');
    expect(await exportAll(projectRoot)).toEqual(anew);
  });

  it('serves two exports at once', async () => {
    const projectRoot = await createProject({ 'lib/shared.ts': 'export const shared = 1;', 'app/a+api.ts': ROUTE });
    const anew = await exportAnew(projectRoot);
    const exportTo = async (outputDir: string): Promise<string> => {
      await exportApp({ projectRoot, outputDir });
      return readFile(path.join(projectRoot, outputDir, 'server/_appkit/functions/a+api.js'), 'latin1');
    };
    const both = await Promise.all([
      exportTo('dist'),
      exportTo('other'),
      exportApp({ projectRoot, outputDir: 'third', clear: true }),
    ]);
    const code = anew['server/_appkit/functions/a+api.js'];
    expect(both.slice(0, 2)).toEqual([code, code]);
    await rm(path.join(projectRoot, 'other'), { recursive: true });
    await rm(path.join(projectRoot, 'third'), { recursive: true });
    expect(await exportAll(projectRoot)).toEqual(anew);
  });

  it('removes entries that were not used for a week', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': 'export const GET = () => {};' });
    await exportAnew(projectRoot);
    await exportAll(projectRoot);
    const names = [...(await readEntries(projectRoot)).keys()];
    await writeFiles(projectRoot, { '.appkit/cache/old': '', '.appkit/cache/recent': '' });
    const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
    await utimes(path.join(projectRoot, '.appkit/cache/old'), days(8), days(8));
    await utimes(path.join(projectRoot, '.appkit/cache/recent'), days(6), days(6));
    for (const name of names) await utimes(path.join(projectRoot, '.appkit/cache', name), days(8), days(8));
    await exportAll(projectRoot);
    expect([...(await readEntries(projectRoot)).keys()].toSorted()).toEqual([...names, 'recent'].toSorted());
  });

  it('is left out when the disk is full, where the export itself still fits', async () => {
    const projectRoot = await createProject({ 'app/a+api.ts': ROUTE, 'lib/shared.ts': "export const shared = 'one';" });
    const { writeFileSync } = fs;
    const refused: string[] = [];
    fs.writeFileSync = (file, ...rest) => {
      if (!path.dirname(String(file)).endsWith('.cache')) return writeFileSync(file, ...rest);
      writeFileSync(file, 'as far as there is space');
      refused.push(String(file));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.writeFileSync = writeFileSync;
      syncBuiltinESMExports();
    });
    const result = await exportAll(projectRoot);
    expect(Object.keys(result)).toContain('server/_appkit/functions/a+api.js');
    // After the first, nothing more is tried.
    expect(refused).toHaveLength(1);
    expect(fs.existsSync(path.join(projectRoot, '.appkit/cache'))).toBe(false);
  });

  it('looks for the value of a variable each time, no matter what was proved before', async () => {
    const projectRoot = await createSite({
      'app/a+api.ts': 'const { TOKEN } = process.env;\nexport const GET = () => Response.json(TOKEN?.length);',
      'app/index.tsx': 'export default () => <p>not-yet-a-secret</p>;',
    });
    vi.stubEnv('TOKEN', 'another-secret');
    const anew = await exportAnew(projectRoot);
    expect(await exportAll(projectRoot)).toEqual(anew);
    vi.stubEnv('TOKEN', 'not-yet-a-secret');
    expect((await exportAll(projectRoot))['problems']).toContain('The value of TOKEN');
    const entries = await readEntries(projectRoot);
    const kept = [...entries.keys()].map((name) => readFile(path.join(projectRoot, '.appkit/cache', name), 'utf8'));
    expect((await Promise.all(kept)).join()).not.toContain('another-secret');
  });

  it('keeps nothing that was saved while it was bundled', async () => {
    const projectRoot = await createProject({ 'lib/shared.ts': 'export const shared = 1;', 'app/a+api.ts': ROUTE });
    await exportAnew(projectRoot);
    const onProgress = (): void => writeFileSync(path.join(projectRoot, 'lib/shared.ts'), 'export const shared = 2;');
    await exportApp({ projectRoot, onProgress });
    expect(await listFiles(projectRoot)).not.toContain('.appkit/cache/.gitignore');
    await exportAnew(projectRoot);
    await exportAll(projectRoot);
    expect(await listFiles(projectRoot)).toContain('.appkit/cache/.gitignore');
  });

  it('contains no site whose vite.config.ts may read anything, and no prerendered page', async () => {
    const projectRoot = await createSite({
      'app/index.tsx': 'export default () => <p>{new Date().toISOString()}</p>;',
    });
    const readPage = async (): Promise<string | undefined> =>
      (await exportAll(projectRoot))['client/index.html']?.match(/<p>.*<\/p>/)?.[0];
    const first = await readPage();
    await readPage();
    expect((await readEntries(projectRoot)).size).toBe(3);
    expect(first).toMatch(/\d{4}-/);
    expect(await readPage()).not.toBe(first);
    await rm(path.join(projectRoot, '.appkit'), { recursive: true });
    await writeFiles(projectRoot, { 'vite.config.ts': 'export default {};' });
    await exportAnew(projectRoot);
    await exportAll(projectRoot);
    expect((await readEntries(projectRoot)).size).toBe(2);
  });
});

it('bundles a site again when anything it depends on changes', async () => {
  const projectRoot = await createSite({
    'tsconfig.json': '{"compilerOptions":{"paths":{"alias":["./lib/a"]}}}',
    'lib/a.ts': "export const alias = 'a';",
    'lib/b.ts': "export const alias = 'b';",
    'lib/ask.ts': "export const ask = () => 'nothing';",
    'app/index.tsx':
      "import { alias } from 'alias';\nexport default () => <p>{alias}{process.env.APPKIT_PUBLIC_TEST}</p>;",
    'app/+html.tsx': "export default ({ children }) => <html lang='en'><body>{children}</body></html>;",
    'app/a+api.ts': "import { ask } from '../lib/ask';\nexport const GET = () => Response.json(ask());",
  });
  // Not compressed, which takes a third of an export: compressed files depend only on their own content.
  const dev = { dev: true };
  let before = await exportAnew(projectRoot, dev);
  expect(await exportAll(projectRoot, dev)).toEqual(before);
  const change = async (
    files: Record<string, string>,
    others: Omit<ExportOptions, 'projectRoot'> = {},
  ): Promise<void> => {
    const options = { ...dev, ...others };
    // All but one thing is as in the cache, or nothing could be taken from it by mistake.
    expect((await readEntries(projectRoot)).size).toBeGreaterThan(0);
    await writeFiles(projectRoot, files);
    const anew = await exportAnew(projectRoot, options);
    expect(anew).not.toEqual(before);
    expect(await exportAll(projectRoot, options)).toEqual(anew);
    before = anew;
  };
  vi.stubEnv('APPKIT_PUBLIC_TEST', 'one');
  await change({});
  await change({ 'tsconfig.json': '{"compilerOptions":{"paths":{"alias":["./lib/b"]}}}' });
  await change({ 'app/+html.tsx': "export default ({ children }) => <html lang='de'><body>{children}</body></html>;" });
  await change({ 'lib/ask.ts': "export { origin as ask } from 'appkit-server';" });
  await change({ 'app.json': '{"web":{"output":"static"}}' });
  await change({}, { minify: true });
  await change({}, { minify: true, sourceMaps: 'inline', clientSourceMaps: true });
});

/**
 * The files that a step of the walk may write, `undefined` to remove one. A name with `$` is an environment variable.
 */
const CHANGES: Record<string, (string | undefined)[]> = {
  'lib/shared.ts': ["export const shared = 'ts one';", "export const shared = 'ts two';", undefined],
  'lib/shared.js': ["export const shared = 'js';", undefined],
  'lib/shared.json': ['{"shared":"json"}', undefined],
  'lib/shared/index.ts': ["export const shared = 'folder';", undefined],
  'lib/alias-a.ts': ["export const alias = 'a one';", "export const alias = 'a two';"],
  'lib/alias-b.ts': ["export const alias = 'b';", undefined],
  'tsconfig.json': [
    '{"compilerOptions":{"paths":{"alias":["./lib/alias-a"]}}}',
    '{"compilerOptions":{"paths":{"alias":["./lib/alias-b","./lib/alias-a"]}}}',
    '{"extends":"./config/base.json"}',
    '{"extends":["./config/other"]} // a comment',
  ],
  'config/base.json': [
    '{"compilerOptions":{"paths":{"alias":["../lib/alias-a"]}}}',
    '{"compilerOptions":{"paths":{"alias":["../lib/alias-b","../lib/alias-a"]}}}',
  ],
  'config/other.json': ['{"extends":"./base.json"}', '{"extends":"./base","compilerOptions":{"jsx":"react-jsx"}}'],
  'node_modules/dep/index.js': ["exports.dep = 'main';", "exports.dep = 'main two';"],
  'node_modules/dep/other.js': ["exports.dep = 'other';", "exports.dep = 'other two';", undefined],
  'node_modules/dep/package.json': ['{"name":"dep"}', '{"name":"dep","main":"other.js"}'],
  'app/node_modules/dep/index.js': ["exports.dep = 'nearer';", undefined],
  'node_modules/maybe/index.js': ["exports.maybe = 'there';", undefined],
  'app/a+api.ts': [
    "import { shared } from '../lib/shared';\nimport { alias } from 'alias';\nexport const GET = () => Response.json([shared, alias]);",
    "import * as all from '../lib/barrel';\nexport const GET = () => Response.json(all.shared);",
  ],
  'app/b+api.ts': [
    "import { dep } from 'dep';\nlet maybe; try { maybe = require('maybe'); } catch {}\nexport const GET = () => Response.json([dep, maybe]);",
    undefined,
  ],
  'app/c+api.ts': ['export const POST = () => {};', undefined],
  'lib/barrel.ts': ["export * from './shared';\nexport * from './unused';", "export * from './shared';"],
  'lib/unused.ts': ["export const unused = 'nobody needs it';", "console.log('an effect'); export const unused = 1;"],
};

/** The same for pages. */
const SITE_CHANGES: Record<string, (string | undefined)[]> = {
  'lib/shared.ts': CHANGES['lib/shared.ts'] ?? [],
  'lib/shared/index.ts': CHANGES['lib/shared/index.ts'] ?? [],
  'app/index.tsx': [
    "import { shared } from '../lib/shared';\nimport './style.css';\nexport default () => <p>{shared}</p>;",
    "import image from './icon.png';\nexport default () => <img src={image} />;",
    "export const run = () => new Worker(new URL('../lib/work.ts', import.meta.url));\nexport default () => <p onClick={run}>worker</p>;",
    "const show = () => alert(new URL('./data.bin', import.meta.url));\nexport default () => <p onClick={show}>url</p>;",
  ],
  'app/about.tsx': ["import './style.css';\nexport default () => <p>{process.env.APPKIT_PUBLIC_WALK}</p>;", undefined],
  'app/+html.tsx': [
    "export default ({ children }) => <html lang='en'><body>{children}</body></html>;",
    "export default ({ children }) => <html lang='de'><body>{children}</body></html>;",
    undefined,
  ],
  'app/+not-found.tsx': [
    "import { shared } from '../lib/shared';\nexport default () => <p>not {shared}</p>;",
    undefined,
  ],
  'app/aliased.tsx': ["import { alias } from 'alias';\nexport default () => <p>{alias}</p>;", undefined],
  'lib/alias-a.ts': CHANGES['lib/alias-a.ts'] ?? [],
  'lib/alias-b.ts': CHANGES['lib/alias-b.ts'] ?? [],
  'tsconfig.json': CHANGES['tsconfig.json']?.slice(0, 2) ?? [],
  'app.json': [
    '{"web":{"output":"server"}}',
    '{"web":{"output":"static"}}',
    '{"plugins":[["appkit-router",{"redirects":[{"source":"/old","destination":"/about"}],"headers":{"x-walk":"1"}}]]}',
    '{"plugins":[["appkit-router",{"strictFetch":true}]]}',
  ],
  'app/+middleware.ts': [undefined, "import { ask } from '../lib/ask';\nexport default () => void ask();"],
  'lib/ask.ts': ["export { origin as ask } from 'appkit-server';", "export const ask = () => 'nothing';"],
  'app/b+api.ts': ["import { ask } from '../lib/ask';\nexport const GET = () => Response.json(ask());"],
  $APPKIT_PUBLIC_WALK: ['one', 'two', undefined],
  $NODE_ENV: ['development', 'test', undefined],
  'app/_layout.tsx': ["import { Slot } from 'appkit-router';\nexport default () => <main><Slot /></main>;", undefined],
  'app/style.css': [
    "@import './part.css';\np { background: url('./icon.png') }",
    '@import url(./part.css);\np { color: red }',
  ],
  'app/part.css': ['b { color: green }', "@import './deep.css'; i { color: blue }"],
  'app/deep.css': ['u { color: gray }', 'u { color: black; background: url(./data.bin) }'],
  'app/icon.png': ['picture one', 'picture two', 'x'.repeat(5000)],
  'app/data.bin': ['data one', 'data two'],
  'lib/work.ts': ["import { shared } from './shared';\npostMessage(shared);", "postMessage('work');"],
  'app/a+api.ts': [
    "import { shared } from '../lib/shared';\nexport const GET = () => Response.json(shared);",
    undefined,
  ],
  'vite.config.ts': ["export default { define: { WALK: '1' } };", undefined, undefined, undefined],
  'postcss.config.mjs': ['export default { plugins: [] };', undefined, undefined, undefined],
};

/** The options that a step of the walk may export with: mostly none, or nothing would be taken from the cache. */
const OPTIONS: Omit<ExportOptions, 'projectRoot'>[] = [
  ...Array.from({ length: 9 }, () => ({})),
  { minify: false },
  { sourceMaps: 'inline', clientSourceMaps: true },
  { ssg: false },
];

/** Numbers from 0 to 1 that are the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Changes a project at random, and compares after each step. Every change is made in some step. */
async function walk(
  projectRoot: string,
  changes: Record<string, (string | undefined)[]>,
  { numRuns: steps, seed }: ReturnType<typeof propertyRuns>,
): Promise<{ exported: number; reused: number }> {
  const random = createRandom(seed);
  const names = Object.keys(changes);
  const start = names.filter((name) => !name.startsWith('$')).map((name) => [name, changes[name]?.[0]] as const);
  await writeFiles(
    projectRoot,
    Object.fromEntries(start.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  );
  const counts = { exported: 0, reused: 0 };
  let before = new Map<string, number>();
  for (let step = 0; step < steps; step++) {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const contents = changes[name] ?? [];
    const content = contents[Math.floor(random() * contents.length)];
    const file = path.join(projectRoot, name);
    if (name.startsWith('$')) vi.stubEnv(name.slice(1), content);
    else if (content === undefined) await rm(file, { force: true });
    else await writeFiles(projectRoot, { [name]: content });
    const place = `seed ${seed}, step ${step}: ${name} = ${content}`;
    const options = OPTIONS[Math.floor(random() * OPTIONS.length)] ?? {};
    const anew = await exportAnew(projectRoot, options);
    expect(await exportAll(projectRoot, options), `${place}, ${JSON.stringify(options)}`).toEqual(anew);
    if ('problems' in anew) continue;
    counts.exported++;
    const entries = await readEntries(projectRoot).catch(() => new Map<string, number>()); // none was kept
    if ([...entries].some(([entry, inode]) => before.get(entry) === inode)) counts.reused++;
    before = entries;
  }
  return counts;
}

afterEach(() => vi.unstubAllEnvs());

it('never serves stale routes, over random steps', async () => {
  const runs = propertyRuns({ push: 40, weekly: 2000 });
  const { exported, reused } = await walk(await createProject({}), CHANGES, runs);
  // Otherwise nothing was compared.
  expect(exported).toBeGreaterThan(runs.numRuns * 0.3);
  expect(reused).toBeGreaterThan(runs.numRuns * 0.1);
});

it('never serves a stale site, over random steps', async () => {
  const runs = propertyRuns({ push: 4, weekly: 400 });
  const { exported, reused } = await walk(await createSite({}), SITE_CHANGES, runs);
  expect(exported).toBeGreaterThan(runs.numRuns * 0.375);
  expect(reused).toBeGreaterThan(runs.numRuns * 0.05);
});
