import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { AtEnd } from '../fixtures/create-project.ts';
import { createSite } from '../fixtures/create-site.ts';
import { exportApp } from '../index.ts';
import type { ExportOptions } from '../index.ts';
import { listFiles } from './list-files.ts';

type Site = Awaited<ReturnType<typeof startSite>>;

/**
 * An app whose page is exported repeatedly with different text. Unless the options say otherwise, it is exported for
 * development, which compresses nothing and takes half the time.
 */
async function startSite(
  web: object = {},
  atEnd?: AtEnd,
): Promise<{ release(text: string, options?: Changes): Promise<Export> }> {
  const files = {
    'app.json': JSON.stringify({ web: { output: 'server', ...web } }),
    'app/index.tsx': 'export default () => null;',
    'app/a+api.ts': "export const GET = () => Response.json('a');",
  };
  const projectRoot = await createSite(files, atEnd);
  return {
    async release(text, options = {}) {
      await writeFile(path.join(projectRoot, 'app/index.tsx'), `export default () => <p>{'${text}'}</p>;\n`);
      const { outputDir, files } = await exportApp({ projectRoot, dev: true, ...options });
      const all = await readAll(outputDir);
      const chunks = Object.entries(all).filter(([name]) => /^client\/(?:shop\/)?_appkit\/assets\/.*\.js$/.test(name));
      return {
        outputDir,
        files: all,
        told: files.map((file) => file.path),
        shows: (wanted) => chunks.some(([, code]) => code.includes(wanted)),
      };
    },
  };
}

async function readAll(folder: string): Promise<Record<string, string>> {
  const texts = (await listFiles(folder)).map(async (name): Promise<[string, string]> => [
    name,
    await readFile(path.join(folder, name), 'latin1'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}

type Changes = Omit<ExportOptions, 'projectRoot'>;

interface Export {
  outputDir: string;
  /** All files, by path. */
  files: Record<string, string>;
  /** The files that the export reports as written. */
  told: string[];
  /** Whether a chunk contains this text. */
  shows(text: string): boolean;
}

async function releases(site: Site, ...texts: string[]): Promise<Export> {
  let last: Export | undefined;
  for (const text of texts) last = await site.release(text);
  if (!last) throw new Error('There is no text to release.');
  return last;
}

/** The successive exports of one site, which several tests inspect. */
let history: Record<'second' | 'secondAgain' | 'third' | 'back', Export>;

beforeAll(async () => {
  let remove = async (): Promise<void> => undefined;
  const site = await startSite({}, (work) => (remove = work));
  const release = (text: string): Promise<Export> => site.release(text, { dev: false });
  await release('first text');
  const [second, secondAgain] = [await release('second text'), await release('second text')];
  const third = await release('third text');
  history = { second, secondAgain, third, back: await release('second text') };
  await remove();
});

it('keeps the assets of the last export, and no older ones', () => {
  const { second, third } = history;
  expect(['first text', 'second text'].map(second.shows)).toEqual([true, true]);
  expect(Object.keys(second.files).toSorted()).toEqual(second.told.toSorted());
  expect(['first text', 'second text', 'third text'].map(third.shows)).toEqual([false, true, true]);
  expect(third.files['server/_appkit/pages/index.html.js']).toContain('third text');
});

it('keeps those of an app below a path, as long as it stays there', async () => {
  const below = await releases(await startSite({ base: '/shop' }), 'first text', 'second text');
  expect(['first text', 'second text'].map(below.shows)).toEqual([true, true]);
});

it('lists the kept files like its own, for static files', () => {
  const { files } = history.second;
  const manifest = JSON.parse(files['client.files/manifest.json'] ?? '') as {
    files: Record<string, { hash: string; codings?: string[]; age?: number }>;
  };
  const ages = Object.entries(manifest.files).flatMap(([name, { age }]) => (age === undefined ? [] : [[name, age]]));
  expect(ages.length).toBeGreaterThan(0);
  for (const [name, age] of ages) expect([name, age]).toEqual([expect.stringMatching(/^_appkit\/assets\//), 1]);
  for (const { hash, codings = [] } of Object.values(manifest.files)) {
    for (const coding of codings) expect(files).toHaveProperty([`client.files/${hash}.${coding}`]);
  }
});

it('gives the same bytes when nothing has changed', () => {
  expect(history.secondAgain.files).toEqual(history.second.files);
});

it('counts an asset that is used again as new', () => {
  const { back } = history;
  expect(['second text', 'third text'].map(back.shows)).toEqual([true, true]);
  expect(back.files['server/_appkit/pages/index.html.js']).toContain('second text');
});

it('keeps as many generations as the config says', async () => {
  const two = await releases(await startSite({ keepAssets: 2 }), 'first text', 'second text', 'third text');
  expect(['first text', 'second text', 'third text'].map(two.shows)).toEqual([true, true, true]);
  const none = await releases(await startSite({ keepAssets: 0 }), 'first text', 'second text');
  expect(['first text', 'second text'].map(none.shows)).toEqual([false, true]);
});

it('keeps nothing with clear', async () => {
  const site = await startSite();
  await site.release('first text');
  expect((await site.release('second text', { clear: true })).shows('first text')).toBe(false);
});

it('keeps no source maps, which may have been private', async () => {
  const site = await startSite();
  const first = await site.release('first text', { clientSourceMaps: true });
  const isMap = (name: string): boolean => name.startsWith('client/') && name.endsWith('.map');
  expect(Object.keys(first.files).some(isMap)).toBe(true);
  const second = await site.release('second text');
  expect([second.shows('first text'), Object.keys(second.files).filter(isMap)]).toEqual([true, []]);
});

it('keeps no file that differs from the exported one', async () => {
  const site = await startSite();
  const { files, outputDir } = await site.release('first text');
  const names = Object.keys(files).filter((name) => name.endsWith('.js') && files[name]?.includes('first text'));
  for (const name of names) await writeFile(path.join(outputDir, name), '"first text, changed by hand"');
  expect((await site.release('second text')).shows('first text')).toBe(false);
});

it('keeps nothing of an output whose manifest cannot be read', async () => {
  const site = await startSite();
  let last = 'first text';
  const { outputDir } = await site.release(last);
  for (const text of ['{', 'null', '{"version":2,"files":{}}', '{"version":1,"files":{"_appkit/assets/../../x":{}}}']) {
    await writeFile(path.join(outputDir, 'client.files/manifest.json'), text);
    const next = `after ${text.length}`;
    expect((await site.release(next)).shows(last)).toBe(false);
    last = next;
  }
});

it('leaves the output unchanged when it is stopped', async () => {
  const site = await startSite();
  const { outputDir, files } = await releases(site, 'first text', 'second text');
  const stop = new AbortController();
  const stopped = site.release('third text', { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(stopped).rejects.toThrow();
  expect(await readAll(outputDir)).toEqual(files);
});
