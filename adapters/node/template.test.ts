import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const BYTES = 64 * 1024 * 1024;

// Of the hosts whose server is of Node. Within the repository, where their packages are found.
it.each(['node', 'express'])(
  'the template of %s finishes a file that is under way when it is stopped',
  async (host) => {
    await mkdir(path.join(root, '.cache'), { recursive: true });
    const folder = await mkdtemp(path.join(root, '.cache/template-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await cp(path.join(root, 'adapters', host, 'template'), folder, { recursive: true });
    await mkdir(path.join(folder, 'dist/client'), { recursive: true });
    await mkdir(path.join(folder, 'dist/server/_appkit'), { recursive: true });
    await writeFile(path.join(folder, 'dist/server/_appkit/routes.json'), '{"version":1,"routes":[]}');
    await writeFile(path.join(folder, 'dist/client/large.bin'), '');
    await truncate(path.join(folder, 'dist/client/large.bin'), BYTES);

    const env = { ...process.env, PORT: '0', HOST: '127.0.0.1' };
    const server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void server.kill('SIGKILL'));
    const exited = once(server, 'exit');
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const url = /http:\S+/.exec(String(line))?.[0] ?? '';
    const response = await fetch(`${url}/large.bin`);
    server.kill('SIGTERM');
    // It has been told once it takes no connection any more.
    await expect.poll(() => isListening(url)).toBe(false);
    expect((await response.arrayBuffer()).byteLength).toBe(BYTES);
    expect(await exited).toEqual([0, null]);
  },
);

async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
