import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { killAbandonedServers, startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const fixtures = path.join(import.meta.dirname, 'fixtures');

/** Starts a server that starts another process and does not end it. */
function startForking(...args: string[]): Promise<ServerProcess> {
  return startServer({
    command: [process.execPath, 'forking-server.ts', ...args],
    folder: fixtures,
    env: {},
    ready: /Listening on (http:\S+)/,
  });
}

/** Whether the process that the server has started still listens. A process id may be that of a dead process. */
async function isChildRunning(output: string): Promise<boolean> {
  const port = Number(/child at (\d+)/.exec(output)?.[1]);
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

it('ends the processes that an abandoned server has started', async () => {
  const server = await startForking();
  const [output] = await server.waitForOutput(/child at \d+/);
  expect(await isChildRunning(output)).toBe(true);
  await killAbandonedServers();
  expect(await isChildRunning(output)).toBe(false);
});

it('ends the processes that a stopped server leaves behind', async () => {
  const server = await startForking();
  const [output] = await server.waitForOutput(/child at \d+/);
  await server.stop();
  expect(await isChildRunning(output)).toBe(false);
});

it('ends the processes that a server leaves behind when it fails to start', async () => {
  const error = await startForking('broken').catch(String);
  expect(error).toMatch(/ended without printing .*Listening/);
  expect(error).toMatch(/child at \d+/);
  expect(await isChildRunning(String(error))).toBe(false);
});

it('ends the servers of a killed process with everything they started, and removes its temporary folders', async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [path.join(fixtures, 'killed-runner.ts')], (_error, stdout) => resolve(stdout));
  });
  const [child = '', folder = ''] = output.split('\n');
  expect(child).toMatch(/^child at \d+$/);
  expect(folder).toContain('appkit-killed-');
  await expect.poll(() => isChildRunning(child)).toBe(false);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

it('removes a temporary folder that is no longer kept, but not one that should stay', async () => {
  const paths: string[] = [];
  for (const keep of [false, true]) {
    await using folder = await createTemporaryFolder('appkit-kept-', { keep });
    paths.push(folder.path);
    expect(existsSync(folder.path)).toBe(true);
  }
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
  await rm(paths[1] ?? '', { recursive: true });
});
