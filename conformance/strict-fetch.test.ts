import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createTemporaryFolder } from './temporary-folder.ts';
import { withStrictFetch } from './strict-fetch.ts';

it('an app has strictFetch for one export alone', async () => {
  await using folder = await createTemporaryFolder('appkit-strict-');
  const file = path.join(folder.path, 'app.json');
  const own = '{ "expo": { "plugins": [["appkit-router", { "implicitHead": true }]] } }';
  await writeFile(file, own);
  let during: unknown;
  await withStrictFetch(file, async () => (during = JSON.parse(await readFile(file, 'utf8'))));
  expect(during).toEqual({ expo: { plugins: [['appkit-router', { implicitHead: true, strictFetch: true }]] } });
  expect(await readFile(file, 'utf8')).toBe(own);
  const failed = withStrictFetch(file, () => Promise.reject(new Error('no disk')));
  await expect(failed).rejects.toThrow('no disk');
  expect(await readFile(file, 'utf8')).toBe(own);
});
