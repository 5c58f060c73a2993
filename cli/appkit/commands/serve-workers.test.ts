import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startServe } from '../fixtures/cli-process.ts';
import type { ServeProcess } from '../fixtures/cli-process.ts';
import { createReleases } from '../fixtures/releases.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';
import { occupyPort } from '../fixtures/occupied-port.ts';

const FILES = {
  'package.json': '{ "name": "served", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  'app/process+api.ts': 'export const GET = () => new Response(String(process.pid));',
  'app/readyz+api.ts': `
    import { isDraining } from 'appkit-server';
    export const GET = () => new Response(null, { status: isDraining() ? 503 : 204 });`,
  'app/dies+api.ts': 'export const GET = () => process.exit(7);',
  'app/stuck+api.ts': "export const GET = () => { console.log('stuck', process.pid); for (;;); };",
  'app/echo+api.ts': 'export const POST = async (request: Request) => new Response(await request.text());',
};

/** A clock whose three seconds are over when the process receives SIGUSR2: a slow test would take longer than three seconds. */
const THREE_SECONDS_UNTIL_A_SIGNAL = `
  import { once } from 'node:events';
  import { syncBuiltinESMExports } from 'node:module';
  import timers from 'node:timers/promises';
  const { setTimeout } = timers;
  timers.setTimeout = (ms, ...rest) => ms === 3000 ? once(process, 'SIGUSR2') : setTimeout(ms, ...rest);
  syncBuiltinESMExports();`;

/** Sends the signal at the moment at which a worker is replaced, which cannot be hit from outside. */
const STOP_WHILE_REPLACING = `
  const { error } = console;
  console.error = (text, ...rest) => {
    error(text, ...rest);
    if (/Starting another/.test(text)) process.kill(process.pid, 'SIGTERM');
  };`;

let app: TemporaryApp;

beforeAll(async () => {
  app = await createTemporaryApp(FILES);
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  if (code !== 0) throw new Error(stderr);
});

afterAll(() => app[Symbol.asyncDispose]());

describe('several workers', () => {
  it('answer on one port, which is printed once', async () => {
    await using serve = await startServe(['--port=0', '--workers=3'], { cwd: app.folder });
    expect(await processesAt(serve.url, 3)).toHaveLength(3);
    expect(serve.lines).toEqual([`Serving static files and routes at ${serve.url} with 3 workers`]);
    expect(serve.errors()).toBe('');
  });

  it('are as many as the machine has cores, with auto', async () => {
    await using serve = await startServe(['--port=0', '--workers=auto'], { cwd: app.folder });
    expect(serve.lines).toEqual([
      expect.stringMatching(/^Serving static files and routes at \S+ with (one worker|\d+ workers)$/),
    ]);
    expect((await fetch(`${serve.url}/process`)).status).toBe(200);
  });

  it('take the next free port together when 8081 is busy', async () => {
    await using _ = await occupyPort(8081);
    await using serve = await startServe(['--workers=2'], { cwd: app.folder });
    expect(serve.lines[0]).toMatch(/^Port 8081 is busy, taking 80\d\d instead\.$/);
    expect(await processesAt(serve.url, 2)).toHaveLength(2);
  });
});

describe('a worker that dies', () => {
  it('is replaced while the others answer', async () => {
    await using serve = await startServe(['--port=0', '--workers=2'], { cwd: app.folder });
    const [first = 0, second = 0] = await processesAt(serve.url, 2);
    process.kill(first, 'SIGKILL');
    await expect.poll(() => serve.errors()).toBe(`Worker ${first} was ended by SIGKILL. Starting another.\n`);
    let after: number[] = [];
    // Node may still hand a connection to a worker that has just been killed.
    await expect
      .poll(async () => {
        after = await processesAt(serve.url, 2, forgotten).catch(() => []);
        return after;
      })
      .not.toContain(first);
    expect(after).toContain(second);
    serve.signal('SIGTERM');
    expect((await serve.exited).code).toBe(0);
  });

  it('is replaced by one of the same release, even if the link that leads to it was switched to the next', async () => {
    await using releases = await createReleases();
    await using serve = await startServe(['current', '--port=0', '--workers=1'], { cwd: releases.folder });
    const ask = (): Promise<string> => fetch(`${serve.url}/process`).then((response) => response.text());
    const [name, first] = (await ask()).split(' ');
    expect(name).toBe('one');
    await releases.switch();
    process.kill(Number(first), 'SIGKILL');
    await expect.poll(() => serve.errors()).toMatch('Starting another.');
    // Node may still hand a connection to a worker that has just been killed.
    let answer = '';
    await expect.poll(async () => (answer = await ask().catch(() => ''))).not.toBe('');
    expect(answer).toMatch(/^one /);
    expect(answer).not.toBe(`one ${first}`);
  });

  it('is not replaced any more when workers die again and again', async () => {
    // With a clock that stands still, all happens within a minute, however long a start takes.
    const nodeArgs = ['--import', 'data:text/javascript,Date.now = () => 0'];
    await using serve = await startServe(['--port=0', '--workers=1'], { cwd: app.folder, nodeArgs });
    const ended = new AbortController();
    void serve.exited.then(() => ended.abort());
    const signal = (): AbortSignal => AbortSignal.any([ended.signal, forgotten()]);
    while (!ended.signal.aborted) await fetch(`${serve.url}/dies`, { signal: signal() }).catch(() => {});
    const { code, stderr } = await serve.exited;
    expect(code).toBe(1);
    expect(stderr.match(/^Worker \d+ has exited with 7\. Starting another\.$/gm)).toHaveLength(9);
    expect(stderr).toMatch(
      /error: Workers have died 10 times within a minute, the last one has exited with 7\.\n {2}\S/,
    );
  });
});

describe('a signal to stop', () => {
  it('lets the requests of all workers finish', async () => {
    await using serve = await startServe(['--port=0', '--workers=2', '--shutdown-timeout=600'], { cwd: app.folder });
    const pids = await processesAt(serve.url, 2);
    const uploads = [openUpload(`${serve.url}/echo`), openUpload(`${serve.url}/echo`)];
    for (const { started } of uploads) await started;
    serve.signal('SIGTERM');
    await serve.printed(/^Finishing 2 requests\./);
    for (const { request } of uploads) {
      request.end('the rest');
      const [response] = await once(request, 'response');
      expect(await text(response)).toBe('first, the rest');
    }
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('makes all workers fail the readiness probe before they close, whichever answered it before', async () => {
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(THREE_SECONDS_UNTIL_A_SIGNAL)}`];
    await using serve = await startServe(['--port=0', '--workers=2'], { cwd: app.folder, nodeArgs });
    const isReady = async (): Promise<number> =>
      (await fetch(`${serve.url}/readyz`, { headers: { connection: 'close' } })).status;
    expect(await isReady()).toBe(204);
    serve.signal('SIGTERM');
    await serve.printed(/^Closing in 3 seconds, /);
    for (let asked = 0; asked < 8; asked++) expect(await isReady()).toBe(503);
    expect(await processesAt(serve.url, 2)).toHaveLength(2);
    serve.signal('SIGUSR2');
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
  });

  it('cuts off requests that take longer than the limit, and says so once', async () => {
    await using serve = await startServe(['--port=0', '--workers=2', '--shutdown-timeout=0.2'], { cwd: app.folder });
    const uploads = [openUpload(`${serve.url}/echo`), openUpload(`${serve.url}/echo`)];
    for (const { request, started } of uploads) {
      request.on('error', () => {});
      await started;
    }
    serve.signal('SIGTERM');
    const { code, stderr } = await serve.exited;
    expect(code).toBe(1);
    expect(stderr.match(/still running 0\.2 seconds after/g)).toHaveLength(1);
  });

  it('ends a worker that is still starting in place of one that died', async () => {
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(STOP_WHILE_REPLACING)}`];
    await using serve = await startServe(['--port=0', '--workers=2'], { cwd: app.folder, nodeArgs });
    const [first = 0] = await processesAt(serve.url, 2);
    process.kill(first, 'SIGKILL');
    expect(await serve.exited).toEqual({
      code: 0,
      stderr: `Worker ${first} was ended by SIGKILL. Starting another.\n`,
    });
  });

  it('kills a worker that answers nothing, once the limit is over', async () => {
    await using serve = await startServe(['--port=0', '--workers=2', '--shutdown-timeout=0.2'], { cwd: app.folder });
    const stuck = await makeStuck(serve);
    serve.signal('SIGTERM');
    const { code, stderr } = await serve.exited;
    expect(code).toBe(1);
    expect(stderr).toMatch(/still running 0\.2 seconds after/);
    expect(isRunning(stuck)).toBe(false);
  });

  it('given twice leaves no worker that answers nothing', async () => {
    await using serve = await startServe(['--port=0', '--workers=2', '--shutdown-timeout=600'], { cwd: app.folder });
    await makeStuck(serve);
    // Two of the same could arrive as one.
    serve.signal('SIGINT');
    serve.signal('SIGTERM');
    // Only once nobody has the output any more.
    expect((await serve.exited).code).toBeOneOf([130, 143]);
  });

  it('sent to the process group, as a terminal does, ends everything with 0', async () => {
    await using serve = await startServe(['--port=0', '--workers=2'], { cwd: app.folder });
    const pids = await processesAt(serve.url, 2);
    for (const pid of pids) process.kill(pid, 'SIGINT');
    serve.signal('SIGINT');
    expect(await serve.exited).toEqual({ code: 0, stderr: '' });
  });

  it('that cannot be caught leaves no worker running', async () => {
    await using serve = await startServe(['--port=0', '--workers=2'], { cwd: app.folder });
    const pids = await processesAt(serve.url, 2);
    serve.signal('SIGKILL');
    await serve.exited;
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});

describe('what cannot be served', () => {
  it('is reported once for a busy port', async () => {
    const other = createServer().listen(0, 'localhost');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCli(['serve', '--port', String(port), '--workers=3'], { cwd: app.folder });
    expect([code, stderr]).toEqual([
      1,
      `error: Port ${port} on localhost is busy.\n  Name another one with --port, or stop what uses it.\n`,
    ]);
    other.close();
  });

  it('is reported once for a server build that cannot be loaded', async () => {
    await using broken = await createTemporaryApp({
      'dist/server/_appkit/routes.json': '{',
      'dist/server/index.js': 'broken(',
    });
    const { code, stderr } = await runCli(['serve', '--port=0', '--workers=2'], { cwd: broken.folder });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: .*dist.server: this server build cannot be served\. .+\n {2}Export the app again: .+\n$/,
    );
  });

  it.each(['0', '-1', '1.5', 'many', '1025'])('is told for --workers=%s', async (workers) => {
    const { code, stderr } = await runCli(['serve', `--workers=${workers}`], { cwd: app.folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Give a number from 1 to 1024, or auto for one per core.');
  });
});

/** Gives up a connection that Node was handing to a process which died, and has forgotten: it is neither answered nor closed. */
function forgotten(): AbortSignal {
  return AbortSignal.timeout(2000);
}

/** The ids of the processes that answer, collected over new connections until `count` ids are known. */
async function processesAt(url: string, count: number, givenUp?: () => AbortSignal): Promise<number[]> {
  const pids = new Set<number>();
  while (pids.size < count) {
    const signal = givenUp?.() ?? null;
    const response = await fetch(`${url}/process`, { headers: { connection: 'close' }, signal });
    pids.add(Number(await response.text()));
  }
  return [...pids];
}

/** Has a request keep a worker from doing anything else. Resolves with its id. */
async function makeStuck({ url, printed, lines }: ServeProcess): Promise<number> {
  void fetch(`${url}/stuck`).catch(() => {});
  await printed(/^stuck /);
  return Number(lines.at(-1)?.slice('stuck '.length));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

// A request with an incomplete body: it runs until the test ends it.
function openUpload(url: string): { request: ClientRequest; started: Promise<unknown> } {
  const request = httpRequest(url, {
    method: 'POST',
    agent: false,
    headers: { expect: '100-continue', 'transfer-encoding': 'chunked' },
  });
  request.write('first, ');
  return { request, started: once(request, 'continue') };
}
