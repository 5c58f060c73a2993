import { lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { linkModules } from './link-modules.ts';

async function createModules(): Promise<{ from: string; into: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-link-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const from = path.join(folder, 'from/node_modules');
  await mkdir(path.join(from, '@scope/one/lib'), { recursive: true });
  await mkdir(path.join(from, '.bin'));
  await writeFile(path.join(from, '@scope/one/lib/index.js'), 'one', { mode: 0o755 });
  await writeFile(path.join(from, '.package-lock.json'), 'installed');
  await symlink('../@scope/one/lib/index.js', path.join(from, '.bin/one'));
  return { from, into: path.join(folder, 'into/node_modules') };
}

it('links the files of packages and keeps relative symbolic links', async () => {
  const { from, into } = await createModules();
  linkModules(from, into);
  expect(await readFile(path.join(into, '.bin/one'), 'utf8')).toBe('one');
  expect(await readlink(path.join(into, '.bin/one'))).toBe('../@scope/one/lib/index.js');
  const [before, after] = await Promise.all(
    [from, into].map((folder) => stat(path.join(folder, '@scope/one/lib/index.js'))),
  );
  expect([after?.ino, after?.mode]).toEqual([before?.ino, before?.mode]);
  expect((await lstat(path.join(into, '@scope/one'))).isSymbolicLink()).toBe(false);
});

it('leaves the other copy alone when packages are replaced or removed, and when npm records what it has installed', async () => {
  const { from, into } = await createModules();
  linkModules(from, into);
  await rm(path.join(into, '@scope'), { recursive: true });
  await mkdir(path.join(into, '@scope/one/lib'), { recursive: true });
  await writeFile(path.join(into, '@scope/one/lib/index.js'), 'two');
  await writeFile(path.join(into, '.package-lock.json'), 'installed more');
  expect(await readFile(path.join(from, '@scope/one/lib/index.js'), 'utf8')).toBe('one');
  expect(await readFile(path.join(from, '.package-lock.json'), 'utf8')).toBe('installed');
});
