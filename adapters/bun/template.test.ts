import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const NAMES = ['plain.txt', '100%.txt', 'a%20b.txt', 'what?.txt', 'a#b.txt', 'a b.txt', 'café.txt', 'a & b/c+d.txt'];

it('the template of bun serves files of every name, and leaves everything else to the routes', async () => {
  const named = NAMES.map((name) => [`client/${name}`, `this is ${name}`]);
  const url = await startTemplate({ 'client/50% off.html': 'a page', ...Object.fromEntries(named) });
  const ask = async (target: string): Promise<unknown[]> => {
    const response = await fetch(url + target);
    return [target, response.status, await response.text()];
  };
  for (const name of NAMES) {
    const target = `/${name.split('/').map(encodeURIComponent).join('/')}`;
    expect(await ask(target)).toEqual([target, 200, `this is ${name}`]);
  }
  expect(await ask('/50%25%20off?a=b')).toEqual(['/50%25%20off?a=b', 200, 'a page']);
  expect(await ask('/100%.txt')).toEqual(['/100%.txt', 400, 'Bad request']);
  expect(await ask('/what?.txt')).toEqual(['/what?.txt', 404, 'Not found']);
});

it('a text keeps its type on Bun when the route has taken the stream of the request', async () => {
  const url = await startTemplate(
    {
      'server/read.js': `const { Response } = globalThis[Symbol.for('appkit.fetch')];
exports.POST = ({ body }) => (void body.getReader().read(), new Response('a text'));
exports.PUT = ({ body }) => new Response(body);`,
    },
    [{ pattern: '/read', file: 'read.js', methods: ['POST', 'PUT'] }],
  );
  const text = await fetch(`${url}/read`, { method: 'POST', body: 'given' });
  expect([await text.text(), text.headers.get('content-type')]).toEqual(['a text', 'text/plain;charset=utf-8']);
  const back = await fetch(`${url}/read`, { method: 'PUT', body: 'given' });
  expect(await back.text()).toBe('given');
});

// The app of the conformance suite has a cache, which completes each answer.
it('a text has its type on Bun in an app without a cache, for HEAD and without a header of the route too', async () => {
  const url = await startTemplate(
    {
      'server/text.js': `const { Response } = globalThis[Symbol.for('appkit.fetch')];
exports.GET = exports.HEAD = () => new Response('a text');
exports.PATCH = () => new Response('a text', { headers: { connection: 'keep-alive' } });
exports.DELETE = async () => new Response(null, { status: 204 });`,
    },
    [{ pattern: '/text', file: 'text.js', methods: ['GET', 'HEAD', 'PATCH', 'DELETE'] }],
  );
  for (const method of ['GET', 'HEAD', 'PATCH']) {
    const { headers } = await fetch(`${url}/text`, { method });
    expect([method, headers.get('content-type')?.toLowerCase()]).toEqual([method, 'text/plain;charset=utf-8']);
  }
  expect((await fetch(`${url}/text`, { method: 'DELETE' })).headers.get('content-type')).toBe(null);
});

it('the template of bun waits for answers when it is stopped, but not for a request that never arrives', async () => {
  const { url, server, exited } = await startServer(
    { 'server/long.js': "exports.GET = async () => new Response('x'.repeat(50_000_000));" },
    [{ pattern: '/long', file: 'long.js', methods: ['GET'] }],
  );
  const { port, hostname } = new URL(url);
  const idle = connect(Number(port), hostname);
  onTestFinished(() => void idle.destroy());
  await once(idle, 'connect');
  idle.on('error', () => undefined).write('GET /long HTTP/1.1\r\n');
  // Its client reads only after the signal.
  const answer = await fetch(`${url}/long`);
  server.kill('SIGTERM');
  while (await isListening(url)) continue;
  expect((await answer.bytes()).length).toBe(50_000_000);
  expect(await exited).toEqual([0, null]);
});

it('the template of bun ends the connection of an answer that it gives after it is told to stop', async () => {
  const { url, server, exited } = await startServer(
    { 'server/echo.js': 'exports.POST = async (request) => new Response(await request.text());' },
    [{ pattern: '/echo', file: 'echo.js', methods: ['POST'] }],
  );
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = (): ClientRequest => httpRequest(`${url}/echo`, { agent, method: 'POST' });
  const headOf = async (request: ClientRequest): Promise<IncomingMessage> =>
    ((await once(request, 'response')) as [IncomingMessage])[0];
  const first = await headOf(ask().end('kept'));
  expect([first.headers.connection, await text(first)]).toEqual([undefined, 'kept']);
  const late = ask();
  late.write('la');
  // The server knows of a request that was sent before another that it has answered.
  expect(await text(await headOf(ask().end('other')))).toBe('other');
  const answer = headOf(late);
  server.kill('SIGTERM');
  while (await isListening(url)) continue;
  late.end('te');
  expect([(await answer).headers.connection, await text(await answer)]).toEqual(['close', 'late']);
  expect(await exited).toEqual([0, null]);
});

it('the template of bun prints a URL that can be opened when it listens on an address of IPv6', async () => {
  const { url } = await startServer({}, [], { HOST: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(url)).status).toBe(404);
});

async function isListening(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
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

async function startTemplate(...given: Parameters<typeof startServer>): Promise<string> {
  return (await startServer(...given)).url;
}

/** Starts the template with files of an export. */
async function startServer(
  files: Record<string, string>,
  routes: readonly object[] = [],
  variables: Record<string, string> = {},
): Promise<{ url: string; server: ChildProcess; exited: Promise<unknown[]> }> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/template-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(path.join(root, 'adapters/bun/template'), folder, { recursive: true });
  const written = { ...files, 'server/_appkit/routes.json': JSON.stringify({ version: 1, routes }) };
  for (const [name, content] of Object.entries(written)) {
    const file = path.join(folder, 'dist', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  await mkdir(path.join(folder, 'dist/client'), { recursive: true });
  const server = spawn(path.join(root, 'node_modules/.bin/bun'), ['server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  // From the start: it may end before the test looks.
  const exited = once(server, 'exit');
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return { url: /http:\S+/.exec(String(line))?.[0] ?? '', server, exited };
}
