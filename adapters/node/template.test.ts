import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const BYTES = 64 * 1024 * 1024;

// The hosts whose server runs on Node.
it.each(['node', 'express'])(
  'the template of %s finishes a file that is being sent when it is stopped',
  async (host) => {
    const folder = await copyTemplate(host);
    await writeFile(path.join(folder, 'dist/client/large.bin'), '');
    await truncate(path.join(folder, 'dist/client/large.bin'), BYTES);
    const { server, url } = await startServer(folder);
    const exited = once(server, 'exit');
    const response = await fetch(`${url}/large.bin`);
    server.kill('SIGTERM');
    // The server has received the signal once it accepts no more connections.
    await expect.poll(() => isListening(url)).toBe(false);
    expect((await response.arrayBuffer()).byteLength).toBe(BYTES);
    expect(await exited).toEqual([0, null]);
  },
);

it.each(['node', 'express'])(
  'the template of %s never passes a request for a file to a route that answers every path, whatever is wrong with the request',
  async (host) => {
    const folder = await copyTemplate(host, {
      '_appkit/routes.json':
        '{"version":1,"routes":[{"pattern":"/[...path]","file":"_appkit/all+api.js","methods":["GET"]}]}',
      '_appkit/all+api.js': "exports.GET = () => new Response('from the route');",
      'package.json': '{"type":"commonjs"}',
    });
    await writeFile(path.join(folder, 'dist/client/ten.txt'), '0123456789');
    const { url } = await startServer(folder);
    const ask = async (target: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const response = await fetch(url + target, { headers });
      const { status, headers: got } = response;
      return [status, got.get('content-range'), (await response.text()).includes('from the route')];
    };
    const file = await fetch(`${url}/ten.txt`);
    expect([file.status, await file.text()]).toEqual([200, '0123456789']);
    expect(await ask('/ten.txt', { range: 'bytes=100-' })).toEqual([416, 'bytes */10', false]);
    expect(await ask('/ten.txt', { 'if-match': '"another"' })).toEqual([412, null, false]);
    expect(await ask('/other.txt', { range: 'bytes=100-' })).toEqual([200, null, true]);
  },
);

it.each(['node', 'express'])('the template of %s reads an empty PORT as none', async (host) => {
  const printPort =
    "import { Server } from 'node:net'; Server.prototype.listen = (port) => { console.log(port); process.exit(); };";
  const server = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(printPort)}`, 'server.mjs'],
    { cwd: await copyTemplate(host), env: { ...process.env, PORT: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  expect(await text(server.stdout)).toBe('3000\n');
});

/** A folder with the files of a template and a server build, within the repository, where their packages are found. */
async function copyTemplate(
  host: string,
  build: Record<string, string> = { '_appkit/routes.json': '{"version":1,"routes":[]}' },
): Promise<string> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/template-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(path.join(root, 'adapters', host, 'template'), folder, { recursive: true });
  await mkdir(path.join(folder, 'dist/client'), { recursive: true });
  await mkdir(path.join(folder, 'dist/server/_appkit'), { recursive: true });
  for (const [name, content] of Object.entries(build)) {
    await writeFile(path.join(folder, 'dist/server', name), content);
  }
  return folder;
}

async function startServer(folder: string): Promise<{ server: ChildProcess; url: string }> {
  const env = { ...process.env, PORT: '0', HOST: '127.0.0.1' };
  const server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { server, url: /http:\S+/.exec(String(line))?.[0] ?? '' };
}

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
