import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-readme-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(() => rm(folder, { recursive: true }));

it.each(['crypto', 'web-browser', 'session'])('the code in the README of auth/%s compiles', async (name) => {
  const markdown = await readFile(path.join(import.meta.dirname, name, 'README.md'), 'utf8');
  const blocks = Array.from(markdown.matchAll(/^( *)```(tsx?)\n(.*?)^\1```$/gms));
  expect(blocks.length).toBeGreaterThan(0);
  const files = blocks.map(([, , language], index) => `${name}-${index}.${language}`);
  await Promise.all(blocks.map(([, , , code = ''], index) => writeFile(path.join(folder, files[index] ?? ''), code)));
  await writeFile(
    path.join(folder, `${name}.json`),
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        target: 'es2023',
        module: 'nodenext',
        jsx: 'react-jsx',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: ['node'],
      },
      files,
    }),
  );
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  await promisify(execFile)(tsc, ['-p', `${name}.json`], { cwd: folder }).catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
});
