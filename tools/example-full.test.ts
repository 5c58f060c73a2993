import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'appkit-full-'));
  const isMade = /[\\/](?:node_modules|dist|\.appkit)$/;
  cpSync(path.join(root, 'examples/full'), folder, { recursive: true, filter: (source) => !isMade.test(source) });
  symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
});

afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }));

/** Runs a command in the example. Variables that this test runner has set must not reach the other one. */
async function run(...args: string[]): Promise<string> {
  const isOurs = (name: string): boolean => name === 'NODE_ENV' || name === 'TEST' || name.startsWith('VITEST');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return stdout;
}

it('the tests of examples/full pass: its mail is sent by a job', async () => {
  expect(
    await run(path.join(modules, 'vitest/vitest.mjs'), 'run', '--testTimeout=600000', '--hookTimeout=600000'),
  ).toMatch(/Test Files .*2 passed/);
});

it('the types of examples/full are right', async () => {
  await run(path.join(modules, 'typescript/bin/tsc'));
});

it('a new app has no jobs, which not every host runs', () => {
  const made = path.join(root, 'cli/appkit/templates/full');
  const names = readdirSync(made, { recursive: true, encoding: 'utf8' });
  expect(names).toContain(path.join('app', 'guestbook.tsx'));
  expect(names.filter((name) => /mail|contact/.test(name))).toEqual([]);
  expect(readFileSync(path.join(made, 'README.md'), 'utf8')).not.toMatch(/mail|job|only in the example/i);
});
