import { execFile } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { filesIn, writeSamples } from './guide-samples.ts';

const root = path.join(import.meta.dirname, '..');
const modules = path.join(root, 'node_modules');

/** Writes the guide's app with its tests, and returns its folder. */
function writeApp(): string {
  const folder = writeSamples(filesIn('docs/guide/testing.md'));
  symlinkSync(modules, path.join(folder, 'node_modules'), 'junction');
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(path.join(folder, 'app.json'), '{ "web": { "output": "server" } }');
  return folder;
}

/**
 * Runs a command in the app, and returns its output. Variables that this test runner has set must not reach the other
 * one.
 */
async function run(file: string, ...args: string[]): Promise<string> {
  const isOurs = (name: string): boolean => name === 'NODE_ENV' || name === 'TEST' || name.startsWith('VITEST');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOurs(name)));
  const { stdout, stderr } = await promisify(execFile)(file, args, { cwd: writeApp(), env });
  return stdout + stderr;
}

it('the test of the guide passes with vitest', async () => {
  const vitest = path.join(modules, 'vitest/vitest.mjs');
  const args = ['run', '--testTimeout=600000', '--hookTimeout=600000', 'test/orders.test.ts'];
  expect(await run(process.execPath, vitest, ...args)).toMatch(/Tests .*1 passed/);
});

it('the test of the guide passes with node:test', async () => {
  expect(await run(process.execPath, '--test', 'test/theme.test.ts')).toMatch(/pass 1\n.*fail 0\n/);
});

it('the test of the guide passes with Bun', async () => {
  expect(await run(path.join(modules, '.bin/bun'), 'test', '--timeout=600000', 'test/theme.test.ts')).toMatch(
    /1 pass\n\s*0 fail/,
  );
});
