import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readPackageFields } from './package-fields.ts';

it('knows which changes of a package.json change how modules are found', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-fields-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const write = async (name: string, fields: object | string): Promise<string> => {
    const file = path.join(folder, name, 'package.json');
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof fields === 'string' ? fields : JSON.stringify(fields));
    return file;
  };
  const own = await write('app', { type: 'module' });
  const { haveChanged } = readPackageFields(own);
  await write('app', { type: 'module', scripts: {} });
  expect(haveChanged(own, 'change')).toBe(false);
  await write('app', '{ "type":');
  expect(haveChanged(own, 'change')).toBe(false);
  await write('app', { type: 'module', browser: { './a.js': './b.js' } });
  expect([haveChanged(own, 'change'), haveChanged(own, 'change')]).toEqual([true, false]);

  const linked = await write('linked', { exports: './a.js' });
  expect(haveChanged(linked, 'add')).toBe(false);
  await write('linked', { exports: './b.js' });
  expect(haveChanged(linked, 'change')).toBe(true);
  expect(haveChanged(await write('other', {}), 'change')).toBe(true);

  const nested = await write('app/packages/ui', { exports: './b.js' });
  expect(haveChanged(nested, 'change')).toBe(true);

  for (const name of ['app/dist/server', 'app/.dist-1-a/new/server']) {
    expect(haveChanged(await write(name, { type: 'commonjs' }), 'change')).toBe(false);
  }
});
