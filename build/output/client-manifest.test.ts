import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { openBundleCache } from '../cache/bundle-cache.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import { measureFiles } from './measure-files.ts';
import { writeClientManifest } from './client-manifest.ts';
import { writePlatformHeaders } from './platform-headers.ts';

it('writes size and hash of the files that clients get, by their names', async () => {
  const folder = await temporaryFolder();
  const written = await writeClientManifest(
    folder,
    [
      { file: { path: 'client/a b.txt', bytes: 3, gzipBytes: 20 }, hash: 'abc' },
      { file: { path: 'server/index.js', bytes: 9 } },
    ],
    { cache: await openCache(folder), compress: false, immutable: ['assets'] },
  );
  expect(written.map(({ file }) => file.path)).toEqual([
    'client.files/manifest.json',
    'client/a b.txt',
    'server/index.js',
  ]);
  expect(JSON.parse(await readFile(path.join(folder, 'client.files/manifest.json'), 'utf8'))).toEqual({
    version: 1,
    immutable: ['assets'],
    files: { 'a b.txt': { size: 3, hash: 'abc' } },
  });
});

it('lists no files when there are none, since a function may import the list', async () => {
  const folder = await temporaryFolder();
  const options = { cache: await openCache(folder), compress: true, immutable: [] };
  expect(await writeClientManifest(folder, [], options)).toEqual([]);
  await mkdir(path.join(folder, 'client'));
  const [listed] = await writeClientManifest(folder, [], options);
  expect(listed?.file.path).toBe('client.files/manifest.json');
  expect(JSON.parse(await readFile(path.join(folder, 'client.files/manifest.json'), 'utf8'))).toMatchObject({
    files: {},
  });
});

it('compresses the files that are worth it, once for all exports', async () => {
  const projectRoot = await temporaryFolder();
  const text = 'the same line of text\n'.repeat(200);
  const noise = randomBytes(4096);
  const files = {
    'client/a.txt': text,
    'client/short.txt': 'short',
    'client/b.png': text,
    'client/noise.bin.txt': noise,
  };
  const exportOnce = async (): Promise<string[]> => {
    const folder = path.join(projectRoot, 'dist');
    await mkdir(path.join(folder, 'client'), { recursive: true });
    for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
    const cache = await openCache(projectRoot);
    const measured = await measureFiles(folder, { cache, signal: undefined });
    const written = await writeClientManifest(folder, measured, { cache, compress: true, immutable: [] });
    await cache.commit();
    return written.map(({ file }) => file.path).filter((file) => file.startsWith('client.files/'));
  };
  const names = await exportOnce();
  const hash = createHash('sha256').update(text).digest('base64url');
  expect(names.toSorted()).toEqual(
    [`${hash}.br`, `${hash}.gzip`, `${hash}.zstd`, 'manifest.json'].map((name) => `client.files/${name}`).toSorted(),
  );
  const read = (coding: string): Promise<Buffer> =>
    readFile(path.join(projectRoot, 'dist', `client.files/${hash}.${coding}`));
  expect(brotliDecompressSync(await read('br')).toString()).toBe(text);
  const zstd = await read('zstd');
  expect(zstdDecompressSync(zstd).toString()).toBe(text);
  // Bit 5 of the frame header's descriptor (RFC 8878, section 3.1.1.1.1): its size was known before it was compressed.
  expect(zstd.readUInt8(4) & 0b10_0000).not.toBe(0);
  expect(gunzipSync(await read('gzip')).toString()).toBe(text);

  const before = await read('br');
  // The cached version is sent, whatever compressing would produce now.
  const zlib = process.versions.zlib;
  const kept = (await openCache(projectRoot)).find(['compressed', hash, zlib]);
  expect(kept?.files.get('br')).toEqual(before);
});

it('adds its rule after those of the app for Netlify and Cloudflare', async () => {
  const folder = await temporaryFolder();
  writePlatformHeaders(folder, ['_appkit/assets', 'assets']);
  await expect(readFile(path.join(folder, '_headers'))).rejects.toThrow('ENOENT');

  await mkdir(path.join(folder, '_appkit/assets'), { recursive: true });
  const rule = '/_appkit/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n';
  writePlatformHeaders(folder, ['_appkit/assets', 'assets']);
  expect(await readFile(path.join(folder, '_headers'), 'utf8')).toBe(rule);

  await writeFile(path.join(folder, '_headers'), '/*\n  X-Own: 1\n\n');
  writePlatformHeaders(folder, ['_appkit/assets', 'assets']);
  expect(await readFile(path.join(folder, '_headers'), 'utf8')).toBe(`/*\n  X-Own: 1\n\n${rule}`);

  await rm(path.join(folder, '_headers'));
  await mkdir(path.join(folder, 'assets'));
  writePlatformHeaders(folder, ['_appkit/assets', 'assets']);
  expect(await readFile(path.join(folder, '_headers'), 'utf8')).toBe(`${rule}\n${rule.replace('_appkit/', '')}`);
});

function openCache(projectRoot: string): Promise<BundleCache> {
  const outputDir = path.join(projectRoot, 'dist');
  return openBundleCache(projectRoot, { outputDir, workFolder: path.join(outputDir, '.work'), clear: false });
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}
