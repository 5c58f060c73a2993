import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from './command.ts';
import { createHostInstaller } from './host-installer.ts';

it('installs once for all hosts that ask for the same packages, each of which has them in its own folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'appkit-installer-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const packed = join(folder, 'package');
  await mkdir(packed);
  await writeFile(join(packed, 'package.json'), '{ "name": "appkit-server", "version": "1.0.0" }');
  await runCommand(['npm', 'pack', '--pack-destination', folder], packed);
  const serverTarball = pathToFileURL(join(folder, 'appkit-server-1.0.0.tgz')).href;
  const install = createHostInstaller(join(folder, 'installed'));
  const hosts = ['one', 'two', 'other'].map((name) => join(folder, 'hosts', name));
  const [one = '', two = '', other = ''] = hosts;
  const withLocal = { local: `file:${packed}` };

  await Promise.all([
    install(one, { serverTarball, dependencies: {} }),
    install(two, { serverTarball, dependencies: {} }),
    install(other, { serverTarball, dependencies: withLocal }),
  ]);

  expect(await readdir(join(folder, 'installed'))).toHaveLength(2);
  expect((await readdir(join(other, 'node_modules'))).toSorted()).toEqual([
    '.package-lock.json',
    'appkit-server',
    'local',
  ]);
  await writeFile(join(one, 'node_modules/appkit-server/package.json'), 'changed');
  const manifest = await readFile(join(two, 'node_modules/appkit-server/package.json'), 'utf8');
  expect(JSON.parse(manifest)).toMatchObject({ name: 'appkit-server', version: '1.0.0' });
  expect(await readdir(two)).toContain('appkit-server.tgz');
});
