import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeClientManifest } from './client-manifest.ts';
import { writePlatformHeaders } from './platform-headers.ts';

it('writes size and hash of the files that clients get, by their names', async () => {
  const folder = await temporaryFolder();
  const written = writeClientManifest(folder, [
    { file: { path: 'client/a b.txt', bytes: 3, gzipBytes: 20 }, hash: 'abc' },
    { file: { path: 'server/index.js', bytes: 9 } },
  ]);
  expect(written.map(({ file }) => file.path)).toEqual([
    'client.files/manifest.json',
    'client/a b.txt',
    'server/index.js',
  ]);
  expect(JSON.parse(await readFile(path.join(folder, 'client.files/manifest.json'), 'utf8'))).toEqual({
    version: 1,
    files: { 'a b.txt': { size: 3, hash: 'abc' } },
  });
});

it('adds its rule behind those of the app for Netlify and Cloudflare', async () => {
  const folder = await temporaryFolder();
  writePlatformHeaders(folder);
  await expect(readFile(path.join(folder, '_headers'))).rejects.toThrow('ENOENT');

  await mkdir(path.join(folder, '_appkit/assets'), { recursive: true });
  const rule = '/_appkit/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n';
  writePlatformHeaders(folder);
  expect(await readFile(path.join(folder, '_headers'), 'utf8')).toBe(rule);

  await writeFile(path.join(folder, '_headers'), '/*\n  X-Own: 1\n\n');
  writePlatformHeaders(folder);
  expect(await readFile(path.join(folder, '_headers'), 'utf8')).toBe(`/*\n  X-Own: 1\n\n${rule}`);
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
