import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadEnv } from 'vite';
import { loadEnvFiles } from './dev/env-files.ts';
import { loadEnvFile } from './env-file.ts';
import { runCli } from './fixtures/cli-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-env-file-'));
  await mkdir(path.join(folder, 'settings'));
  await writeFile(path.join(folder, 'file.env'), 'A=1');
  await symlink('loop.env', path.join(folder, 'loop.env'));
  await writeFile(path.join(folder, 'locked.env'), 'A=1');
  await chmod(path.join(folder, 'locked.env'), 0);
});
afterAll(async () => await rm(folder, { recursive: true }));

// Node searches all arguments for its own --env-file, and exits before our code runs, but it ignores those after `--`.
const run = async (command: string, file: string): Promise<[code: number | null, stderr: string]> => {
  const { code, stderr } = await runCli([command, '--env-file', file], { cwd: folder, nodeArgs: ['--'] });
  return [code, stderr];
};

describe('a file with a byte order mark', () => {
  afterEach(() => {
    for (const name of ['MARKED', 'PLAIN']) delete process.env[name];
  });

  it('sets its first variable too, for --env-file', async () => {
    await writeFile(path.join(folder, 'marked.env'), '\uFEFFMARKED=1\r\nPLAIN=2\r\n');
    loadEnvFile(path.join(folder, 'marked.env'));
    expect([process.env['MARKED'], process.env['PLAIN']]).toEqual(['1', '2']);
  });

  it('sets its first variable too, among the .env files of appkit start', async () => {
    const project = path.join(folder, 'settings');
    await writeFile(path.join(project, '.env'), '\uFEFFMARKED=1\nPLAIN=2');
    await writeFile(path.join(project, '.env.local'), '\uFEFFPLAIN=3');
    loadEnvFiles({ loadEnv }, project, 'development');
    expect([process.env['MARKED'], process.env['PLAIN']]).toEqual(['1', '3']);
  });
});

describe.each(['serve', 'start'])('appkit %s --env-file', (command) => {
  it('says that the file does not exist, and which folder the path is relative to', async () => {
    const expected = `error: missing.env: there is no such file for --env-file.\n  Correct the path. It is relative to ${folder}.\n`;
    expect(await run(command, 'missing.env')).toEqual([1, expected]);
    expect(await run(command, 'file.env/below')).toEqual([1, expected.replace('missing.env', 'file.env/below')]);
  });

  it('says that it is a folder', async () => {
    expect(await run(command, 'settings')).toEqual([
      1,
      'error: settings: this is a folder, and --env-file needs a file.\n  Add the name of the file, such as settings/.env.\n',
    ]);
  });

  it('says why the system does not read it', async () => {
    expect(await run(command, 'loop.env')).toEqual([
      1,
      'error: loop.env: the system does not allow reading this --env-file: ELOOP.\n' +
        '  Make it a file that this user may read.\n',
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('says that this user may not read it', async () => {
    const [code, stderr] = await run(command, 'locked.env');
    expect([code, stderr.split('\n')[0]]).toEqual([
      1,
      'error: locked.env: the system does not allow reading this --env-file: EACCES.',
    ]);
  });
});
