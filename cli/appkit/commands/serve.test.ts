import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCli, startServe } from '../fixtures/cli-process.ts';
import { giveAway } from '../fixtures/give-away.ts';
import { createReleases } from '../fixtures/releases.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';
import { occupyPort } from '../fixtures/occupied-port.ts';

const FILES = {
  'package.json': '{ "name": "served", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  '.env': 'FROM_DOT_ENV=yes',
  'settings.env': 'FROM_ENV_FILE=yes\nALREADY_SET=no',
  'public/index.html': '<h1>home</h1>',
  'public/hello.html': '<h1>static</h1>',
  'app/hello+api.ts': `
    export const GET = () => new Response('route');
    export const POST = () => new Response('posted');`,
  'app/variables+api.ts': `
    const { NODE_ENV, FROM_DOT_ENV, FROM_ENV_FILE, ALREADY_SET } = process.env;
    export const GET = () => Response.json({ NODE_ENV, FROM_DOT_ENV, FROM_ENV_FILE, ALREADY_SET });`,
  'app/echo+api.ts': `
    export const POST = async (request: Request) => new Response(await request.text());`,
  'app/throws+api.ts': `
    export function GET(): Response {
      throw new Error('from throws+api.ts');
    }`,
  'app/task+api.ts': `
    import { runTask } from 'appkit-server';
    export function GET(request: Request): Response {
      const url = new URL(request.url).searchParams.get('until') ?? '';
      runTask(async () => {
        const answer = await fetch(url);
        console.log('task done: ' + (await answer.text()));
      });
      return new Response('started');
    }`,
  'app/interval+api.ts': `
    setInterval(() => {}, 1000);
    export const GET = () => new Response('ticking');`,
};

let app: TemporaryApp;

beforeAll(async () => {
  app = await createTemporaryApp(FILES);
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => app[Symbol.asyncDispose]());

describe('what is answered', () => {
  it('serves static files first, then routes', async () => {
    await using serve = await startServe(['--port', '0'], { cwd: app.folder });
    expect(await (await fetch(serve.url)).text()).toBe('<h1>home</h1>');
    expect(await (await fetch(`${serve.url}/hello`)).text()).toBe('<h1>static</h1>');
    expect(await (await fetch(`${serve.url}/hello`, { method: 'POST' })).text()).toBe('posted');
    expect(serve.lines).toContain(`Serving static files and routes at ${serve.url}`);
  });

  it('answers as the runtime does where neither exists', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    const missing = await fetch(`${serve.url}/missing`);
    expect([missing.status, missing.headers.get('content-type'), await missing.text()]).toEqual([
      404,
      'text/plain',
      'Not found',
    ]);
    expect((await fetch(`${serve.url}/%zz`)).status).toBe(400);
  });

  it('goes on with its release when the link that leads to it is switched to the next', async () => {
    await using releases = await createReleases();
    await using serve = await startServe(['current', '--port=0'], { cwd: releases.folder });
    const ask = async (target: string): Promise<string> => (await fetch(serve.url + target)).text();
    await releases.switch();
    expect([await ask('/name.txt'), await ask('/process')]).toEqual(['one', expect.stringMatching(/^one /)]);
  });

  it('keeps a quiet connection for longer than the minute for which proxies keep it', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    expect((await fetch(serve.url)).headers.get('keep-alive')).toBe('timeout=65');
  });

  it.each(['node', 'express'])('so does a server with the template of %s', async (host) => {
    const server = path.join(app.folder, `${host}.mjs`);
    await cp(path.join(import.meta.dirname, '../../../adapters', host, 'template/server.mjs'), server);
    const child = spawn(process.execPath, [server], {
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const [, url = ''] = /Listening on (\S+)/.exec(String(said)) ?? [];
    expect((await fetch(url)).headers.get('keep-alive')).toBe('timeout=65');
  });

  it('adds no CORS headers, and leaves OPTIONS to the routes', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    const headers = { origin: 'https://elsewhere.example' };
    for (const [target, method, status] of [
      ['/', 'GET', 200],
      ['/hello', 'POST', 200],
      ['/hello', 'OPTIONS', 405],
    ] as const) {
      const response = await fetch(serve.url + target, { method, headers });
      expect(response.status).toBe(status);
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('logs an error of a route with its place in the source', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    const response = await fetch(`${serve.url}/throws`);
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
    serve.signal('SIGTERM');
    const { stderr } = await serve.exited;
    expect(stderr).toContain('Error: from throws+api.ts');
    expect(stderr).toMatch(/throws\+api\.ts:3:\d+/);
  });
});

describe('environment variables', () => {
  it('runs in production and reads no .env', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    expect(await (await fetch(`${serve.url}/variables`)).json()).toEqual({ NODE_ENV: 'production' });
  });

  it('reads the given file, without overriding variables that are already set', async () => {
    const env = { ALREADY_SET: 'yes', NODE_ENV: 'staging' };
    await using serve = await startServe(['--port=0', '--env-file', 'settings.env'], { cwd: app.folder, env });
    expect(await (await fetch(`${serve.url}/variables`)).json()).toEqual({
      NODE_ENV: 'staging',
      FROM_ENV_FILE: 'yes',
      ALREADY_SET: 'yes',
    });
  });

  it('names a missing file, and fails', async () => {
    // Node searches all arguments for its own --env-file, and exits before our code runs: env-file.test.ts has the
    // rest.
    const byNode = await runCli(['serve', '--env-file', 'missing.env'], { cwd: app.folder });
    expect(byNode.code).toBeGreaterThan(0);
    expect(byNode.stderr).toContain('missing.env');
  });
});

describe('which export is served', () => {
  it("can be named by the app's folder, from anywhere", async () => {
    await using serve = await startServe([app.folder, '--port=0'], { cwd: path.dirname(app.folder) });
    expect((await fetch(`${serve.url}/variables`)).status).toBe(200);
  });

  it('can be named by its own folder', async () => {
    await using serve = await startServe(['dist', '--port=0'], { cwd: app.folder });
    expect(await (await fetch(serve.url)).text()).toBe('<h1>home</h1>');
    expect((await fetch(`${serve.url}/variables`)).status).toBe(200);
  });

  it('can be in another output folder', async () => {
    await using other = await createTemporaryApp({});
    await cp(path.join(app.folder, 'dist'), path.join(other.folder, 'out/web'), { recursive: true });
    await using serve = await startServe(['--output-dir', 'out/web', '--port=0'], { cwd: other.folder });
    expect((await fetch(`${serve.url}/variables`)).status).toBe(200);
  });

  it('serves static files alone, with the same errors', async () => {
    await using site = await createTemporaryApp({ 'dist/client/index.html': 'site' });
    await using serve = await startServe(['--port=0'], { cwd: site.folder });
    expect(serve.lines).toContain(`Serving static files at ${serve.url}`);
    expect(await (await fetch(serve.url)).text()).toBe('site');
    const missing = await fetch(`${serve.url}/missing`);
    expect([missing.status, await missing.text()]).toEqual([404, 'Not found']);
    const posted = await fetch(serve.url, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow'), await posted.text()]).toEqual([
      405,
      'GET, HEAD',
      'Method not allowed',
    ]);
  });

  it('says how to export when no export exists', async () => {
    await using empty = await createTemporaryApp({});
    const { code, stdout, stderr } = await runCli(['serve'], { cwd: empty.folder });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`${path.join(empty.folder, 'dist')}: there is no exported app here.`);
    expect(stderr).toContain('Run `appkit export -p web`');
  });

  it('says which folder it may not read, and does not serve the rest', async () => {
    await using closed = await createTemporaryApp({
      'dist/client/index.html': '',
      'dist/server/_appkit/routes.json': '{}',
    });
    const user = await giveAway(closed, ['dist', 'dist/server']);
    for (const folder of ['dist/server', 'dist']) {
      await chmod(path.join(closed.folder, folder), 0o000);
      const { code, stdout, stderr } = await runCli(['serve', '--port=0'], { cwd: closed.folder, ...user });
      await chmod(path.join(closed.folder, folder), 0o755);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^error: EACCES: .*dist.*\n {2}Check who owns it/);
    }
  });

  it('says what is wrong with a server build it cannot load', async () => {
    await using broken = await createTemporaryApp({
      'dist/server/_appkit/routes.json': '{',
      'dist/server/index.js': 'broken(',
    });
    const { code, stderr } = await runCli(['serve', '--port=0'], { cwd: broken.folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*dist.server: this server build cannot be served\. .+\n  Export the app again: /);
    expect(stderr).not.toContain('    at ');
  });
});

describe('the port', () => {
  it('is the next free one when 8081 is busy and none was asked for', async () => {
    await using _ = await occupyPort(8081);
    await using serve = await startServe([], { cwd: app.folder });
    expect(Number(new URL(serve.url).port)).toBeGreaterThan(8081);
    expect(serve.lines[0]).toMatch(/^Port 8081 is busy, taking 80\d\d instead\.$/);
  });

  it('is never replaced when it was asked for', async () => {
    const other = createServer().listen(0, 'localhost');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCli(['serve', '--port', String(port)], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      1,
      `error: Port ${port} on localhost is busy.\n  Name another one with --port, or stop what uses it.\n`,
    ]);
    other.close();
  });

  it('is on the host that was asked for', async () => {
    await using serve = await startServe(['--port=0', '--host=127.0.0.1'], { cwd: app.folder });
    expect(serve.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { code, stderr } = await runCli(['serve', '--port=0', '--host=192.0.2.1'], { cwd: app.folder });
    expect([code, stderr.split('\n')[0]]).toEqual([1, 'error: 192.0.2.1 is not an address of this machine.']);
  });
});

describe('a signal to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends an idle server with 0, whatever timers the app has',
    async (signal) => {
      await using serve = await startServe(['--port=0'], { cwd: app.folder });
      expect(await (await fetch(`${serve.url}/interval`)).text()).toBe('ticking');
      serve.signal(signal);
      expect(await serve.exited).toEqual({ code: 0, stderr: '' });
    },
  );

  it('lets a running request finish and accepts no new ones', async () => {
    await using serve = await startServe(['--port=0', '--shutdown-timeout=600'], { cwd: app.folder });
    const upload = openUpload(`${serve.url}/echo`);
    await upload.started;

    serve.signal('SIGTERM');
    await serve.printed(/^Finishing one request\./);
    await expect(fetch(`${serve.url}/hello`)).rejects.toThrow('fetch failed');

    upload.request.end('the rest');
    const [response] = await once(upload.request, 'response');
    expect([await text(response), response.headers.connection]).toEqual(['first, the rest', 'close']);
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    ['says nothing', ''],
    ['has sent half a request', 'GET / HTTP/1.1\r\nhost: x\r\n'],
  ])('does not wait for a connection that %s', async (_, text) => {
    await using serve = await startServe(['--port=0', '--host=127.0.0.1', '--shutdown-timeout=20'], {
      cwd: app.folder,
    });
    const socket = connect(Number(new URL(serve.url).port), '127.0.0.1');
    const closed = once(socket.resume(), 'close');
    await once(socket, 'connect');
    socket.write(text);
    // Connections are accepted in order: once this one has been answered, the server has accepted the first.
    await (await fetch(serve.url)).text();
    serve.signal('SIGTERM');
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
    await closed;
  });

  it('waits for a task that outlives its request', async () => {
    const gate = createServer().listen(0, '127.0.0.1');
    await once(gate, 'listening');
    const asked = once(gate, 'request');
    await using serve = await startServe(['--port=0', '--shutdown-timeout=600'], { cwd: app.folder });

    const until = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;
    expect(await (await fetch(`${serve.url}/task?until=${encodeURIComponent(until)}`)).text()).toBe('started');
    const [, answer] = await asked;
    const refused = connectionRefused(serve.url);
    serve.signal('SIGTERM');
    await refused;
    answer.end('gate');
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
    expect(serve.lines).toContain('task done: gate');
    gate.close();
  });

  it('cuts off requests that take longer than the limit, and says so', async () => {
    await using serve = await startServe(['--port=0', '--shutdown-timeout', '0.2'], { cwd: app.folder });
    const upload = openUpload(`${serve.url}/echo`);
    upload.request.on('error', () => {});
    await upload.started;
    serve.signal('SIGTERM');
    const { code, stderr } = await serve.exited;
    expect(code).toBe(1);
    expect(stderr).toContain('still running 0.2 seconds after');
    expect(stderr).toContain('end streams once isDraining() is true');
  });

  it('sent twice, ends the server at once', async () => {
    await using serve = await startServe(['--port=0', '--shutdown-timeout', '600'], { cwd: app.folder });
    const upload = openUpload(`${serve.url}/echo`);
    upload.request.on('error', () => {});
    await upload.started;
    serve.signal('SIGINT');
    await serve.printed(/^Finishing/);
    serve.signal('SIGINT');
    expect((await serve.exited).code).toBe(130);
  });
});

// A request with an incomplete body: it runs until the test ends it.
function openUpload(url: string): { request: ClientRequest; started: Promise<unknown> } {
  const request = httpRequest(url, {
    method: 'POST',
    headers: { expect: '100-continue', 'transfer-encoding': 'chunked' },
  });
  request.write('first, ');
  return { request, started: once(request, 'continue') };
}

async function connectionRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const isRefused = (): Promise<boolean> => {
    const socket = connect(Number(port), hostname);
    return once(socket, 'connect').then(
      () => {
        socket.destroy();
        return false;
      },
      () => true,
    );
  };
  while (!(await isRefused())) continue;
}
