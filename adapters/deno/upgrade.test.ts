import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { installLocked } from '../../conformance/install-locked.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The modules of an export, by name. */
const MODULES: Record<string, string> = {
  'socket.js': `exports.GET = (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => socket.send('heard ' + data + ' at ' + request.url);
    return response;
  };`,
  'hello.js': "exports.GET = () => new Response('hello');",
  'middleware.js': `exports.default = async (request, next) => {
    const response = await next();
    const before = response.headers.get('x-visits');
    response.headers.set('x-visits', before + 'x');
    if (before !== null) throw new Error('The headers of an upgrade were those of another client.');
    return response;
  };`,
};
const MANIFEST = {
  version: 1,
  routes: ['socket', 'hello'].map((name) => ({ pattern: `/${name}`, file: `${name}.js`, methods: ['GET'] })),
  middleware: { file: 'middleware.js' },
};

const ended: (() => Promise<unknown>)[] = [];

/** Starts the server of the template, and returns its URL.
 *
 * @param option – one more option of its handler, as in code.
 */
async function start(option = ''): Promise<string> {
  const tools = path.join(root, '.cache/tools/deno/tools');
  await installLocked(path.join(import.meta.dirname, 'tools'), tools);
  const folder = await mkdtemp(path.join(root, '.cache/template-'));
  ended.push(() => rm(folder, { recursive: true }));
  await cp(path.join(import.meta.dirname, 'template'), folder, { recursive: true });
  const script = await readFile(path.join(folder, 'server.mjs'), 'utf8');
  await writeFile(path.join(folder, 'server.mjs'), script.replace("'dist/server')", `'dist/server')${option}`));
  await mkdir(path.join(folder, 'dist/client'), { recursive: true });
  await mkdir(path.join(folder, 'dist/server/_appkit'), { recursive: true });
  const files = { ...MODULES, '_appkit/routes.json': JSON.stringify(MANIFEST), 'package.json': '{"type":"commonjs"}' };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'dist/server', name), text);
  const server = spawn(path.join(tools, 'node_modules/.bin/deno'), ['run', '-A', '--no-remote', 'server.mjs'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ended.unshift(async () => server.kill('SIGKILL'));
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return /http:\S+/.exec(String(line))?.[0] ?? '';
}

afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** Tells the route a word, and returns what it answers. */
async function hear(socket: WebSocket, word: string): Promise<string> {
  const [opened] = (await Promise.race([once(socket, 'open'), once(socket, 'close')])) as [Event];
  expect(opened.type).toBe('open');
  socket.send(word);
  const [heard] = (await Promise.race([once(socket, 'message'), once(socket, 'close')])) as [{ data: string }];
  return heard.data;
}

it('lets a route answer with a WebSocket, and goes on answering', async () => {
  const url = await start();
  for (let visit = 0; visit < 2; visit++) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`);
    expect(await hear(socket, 'a word')).toBe(`heard a word at ${url}/socket`);
    socket.close();
    await once(socket, 'close');
  }
  expect(await (await fetch(`${url}/hello`)).text()).toBe('hello');
});

it('lets it do so behind a proxy that terminates TLS', async () => {
  const url = await start(', trustProxy: 1');
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket`, { headers });
  expect(await hear(socket, 'a word')).toBe('heard a word at https://shop.example/socket');
  socket.close();
});
