import { execFile } from 'node:child_process';
import { globSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const BINARIES = {
  create: [path.join(import.meta.dirname, 'bin/create-appkit.js')],
  init: [path.join(import.meta.dirname, '../appkit/bin/appkit.js'), 'init'],
};

/** Creates an app in its own folder, and returns its files and the output. */
async function make(
  binary: keyof typeof BINARIES,
  ...args: string[]
): Promise<{ files: Record<string, string>; stdout: string }> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'appkit-create-'));
  const { stdout } = await promisify(execFile)(process.execPath, [...BINARIES[binary], ...args], { cwd: folder.path });
  const names = globSync('**/*', { cwd: folder.path, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = names.map((entry) => path.join(entry.parentPath, entry.name));
  return {
    files: Object.fromEntries(files.map((file) => [path.relative(folder.path, file), readFileSync(file, 'utf8')])),
    stdout,
  };
}

it('creates the same app as appkit init, with pages', async () => {
  const made = await make('create', 'my-shop');
  expect(JSON.parse(made.files['my-shop/package.json'] ?? '')).toMatchObject({ name: 'my-shop' });
  expect(Object.keys(made.files)).toContain(path.join('my-shop', 'app/index.tsx'));
  expect(made).toEqual(await make('init', 'my-shop'));
});

it('creates the same app as appkit init, with server routes only', async () => {
  const made = await make('create', 'my-shop', '--minimal');
  expect(Object.keys(made.files)).toContain(path.join('my-shop', 'app/hello+api.ts'));
  expect(Object.keys(made.files)).not.toContain(path.join('my-shop', 'app/index.tsx'));
  expect(made).toEqual(await make('init', 'my-shop', '--minimal'));
});

it('exits with the exit code of appkit init', async () => {
  await expect(make('create', 'my-shop', '--maximal')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining("unknown option '--maximal'"),
  });
});
