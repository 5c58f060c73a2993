import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from './command.ts';
import { createHostInstaller } from './host-installer.ts';

it('installs once for all hosts that need the same packages, each of which gets them in its own folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-installer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const packed = path.join(folder, 'package');
  await mkdir(packed);
  await writeFile(path.join(packed, 'package.json'), '{ "name": "appkit-server", "version": "1.0.0" }');
  await runCommand(['npm', 'pack', '--pack-destination', folder], packed);
  const serverTarball = pathToFileURL(path.join(folder, 'appkit-server-1.0.0.tgz')).href;
  const install = createHostInstaller(path.join(folder, 'installed'));
  const hosts = ['one', 'two', 'other'].map((name) => path.join(folder, 'hosts', name));
  const [one = '', two = '', other = ''] = hosts;
  const withLocal = { local: `file:${packed}` };

  await Promise.all([
    install(one, { serverTarball, dependencies: {} }),
    install(two, { serverTarball, dependencies: {} }),
    install(other, { serverTarball, dependencies: withLocal }),
  ]);

  expect(await readdir(path.join(folder, 'installed'))).toHaveLength(2);
  expect((await readdir(path.join(other, 'node_modules'))).toSorted()).toEqual([
    '.package-lock.json',
    'appkit-server',
    'local',
  ]);
  await writeFile(path.join(one, 'node_modules/appkit-server/package.json'), 'changed');
  const manifest = await readFile(path.join(two, 'node_modules/appkit-server/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ name: 'appkit-server', version: '1.0.0' });
  expect(await readdir(two)).toContain('appkit-server.tgz');
});
