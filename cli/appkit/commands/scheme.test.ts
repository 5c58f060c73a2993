import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

it('adds, lists and removes a scheme', async () => {
  await using app = await createTemporaryApp({ 'app.json': '{}' });
  const read = (): Promise<string> => readFile(path.join(app.folder, 'app.json'), 'utf8');
  const { code, stdout, stderr } = await runCli(['scheme', 'add', 'com.example.app'], { cwd: app.folder });
  expect([code, stdout]).toEqual([0, 'Added com.example.app:\n  app.json\n']);
  expect(stderr).toMatch(/^warning: There are no native projects/);
  expect(await read()).toBe('{ "scheme": "com.example.app" }');
  const list = await runCli(['scheme', 'list', '--json'], { cwd: app.folder });
  expect(JSON.parse(list.stdout)).toMatchObject({ schemes: [{ scheme: 'com.example.app', line: 1 }] });
  expect((await runCli(['scheme', 'remove', 'com.example.app', '--dry-run'], { cwd: app.folder })).code).toBe(0);
  expect((await runCli(['scheme', 'remove', '--', 'com.example.app', '.'], { cwd: app.folder })).code).toBe(0);
  expect(await read()).toBe('{}');
});

it('has the help, the errors and the exit codes of uri-scheme, under its own name', async () => {
  await using app = await createTemporaryApp({});
  const help = await runCli(['scheme', 'add', '--help'], { cwd: app.folder });
  expect([help.code, help.stdout]).toEqual([0, expect.stringMatching(/^Usage: appkit scheme add <scheme> /)]);
  const usage = await runCli(['scheme', 'add'], { cwd: app.folder });
  expect(usage).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: appkit scheme add: <scheme> is missing.\n  Run with --help for the options: appkit scheme add --help\n',
  });
  const nothing = await runCli(['scheme', 'list'], { cwd: app.folder });
  expect([nothing.code, nothing.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: There is no iOS or Android project/),
  ]);
});
