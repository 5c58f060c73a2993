import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runCli, startDev } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

/** Vite is what the known frameworks run. `--from sveltekit` starts it by `vite dev`. */
const FILES = {
  'package.json': '{ "name": "of-vite", "type": "module" }',
  'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
  'main.js': 'export const version = 1;',
  'vite.config.js': `export default {
    plugins: [{
      name: 'echo',
      configureServer: ({ middlewares }) => void middlewares.use('/echo', (request, response) => {
        response.setHeader('x-told', [request.method, request.headers.host, request.headers['x-forwarded-proto']].join());
        request.pipe(response);
      }),
    }],
  };`,
};

it("answers in front of a framework's development server, and ends with it", async () => {
  await using app = await createTemporaryApp(FILES);
  await using dev = await startDev(['--from', 'sveltekit'], { cwd: app.folder });
  expect(await (await fetch(dev.url)).text()).toContain('/@vite/client');

  const echoed = await fetch(`${dev.url}/echo`, { method: 'POST', body: 'a body' });
  expect([await echoed.text(), echoed.headers.get('x-told')]).toEqual(['a body', `POST,${new URL(dev.url).host},http`]);
  await dev.printed(/POST \/echo 200/);

  const socket = new WebSocket(dev.url.replace('http', 'ws'), 'vite-ping');
  await once(socket, 'open');
  socket.close();

  const own = dev.lines.join().match(/listens on (127\S+\d)/)?.[1] ?? '';
  // Linux gives servers that name no port one from 32768 on.
  expect(Number(new URL(`http://${own}`).port)).toBeLessThan(32_768);
  dev.signal('SIGTERM');
  expect(await dev.exited).toMatchObject({ code: 0 });
  await expect(fetch(`http://${own}`)).rejects.toThrow('fetch failed');
});

it('notifies a page of a change', async () => {
  await using app = await createTemporaryApp(FILES);
  await using dev = await startDev(['--from', 'sveltekit', '--quiet'], { cwd: app.folder });
  const client = await (await fetch(`${dev.url}/@vite/client`)).text();
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? '';
  await (await fetch(`${dev.url}/main.js`)).text();
  const socket = new WebSocket(`${dev.url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr');
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(String(data)));
  await expect.poll(() => messages.join()).toContain('connected');
  // The framework answers before it watches: what is saved too early goes unnoticed, and is saved again.
  const changed = async (): Promise<string> => {
    await writeFile(path.join(app.folder, 'main.js'), 'export const version = 2;');
    return messages.join();
  };
  await expect.poll(changed, { interval: 1000 }).toContain('full-reload');
  await expect.poll(async () => (await fetch(`${dev.url}/main.js`)).text()).toContain('version = 2');
  dev.signal('SIGTERM');
  await dev.exited;
});

it('does not pass on a scheme set by the client, and survives an answer that cannot be sent', async () => {
  await using app = await createTemporaryApp({
    ...FILES,
    'vite.config.js': FILES['vite.config.js'].replace(
      "use('/echo'",
      "use('/odd', ({ socket }) => void socket.end('HTTP/1.1 200 \\x01\\r\\n\\r\\n')).use('/echo'",
    ),
  });
  await using dev = await startDev(['--from', 'sveltekit', '--quiet'], { cwd: app.folder });
  expect((await fetch(`${dev.url}/odd`)).status).toBe(502);
  const echoed = await fetch(`${dev.url}/echo`, { headers: { 'x-forwarded-proto': 'https' } });
  expect(echoed.headers.get('x-told')).toMatch(/,http$/);
  dev.signal('SIGTERM');
  await dev.exited;
});

it('answers to local names only, also where the framework answers to any', async () => {
  await using app = await createTemporaryApp({
    ...FILES,
    'vite.config.js': FILES['vite.config.js'].replace('plugins:', 'server: { allowedHosts: true }, plugins:'),
  });
  await using dev = await startDev(['--from', 'sveltekit', '--quiet'], { cwd: app.folder });
  const statusFor = async (headers: Record<string, string>): Promise<number | undefined> => {
    const request = httpRequest(`${dev.url}/echo`, { headers }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const socket = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'vite-ping' };
  expect(await statusFor({ host: 'app.localhost' })).toBe(200);
  expect(await statusFor({ host: 'evil.example' })).toBe(403);
  expect(await statusFor({ host: 'evil.example', ...socket })).toBe(403);
  dev.signal('SIGTERM');
  await dev.exited;
});

it('lets a request wait while the port is only tried out, as Vite does before it listens', async () => {
  await using app = await createTemporaryApp({
    ...FILES,
    'vite.config.js': `
      import { createServer } from 'node:net';
      const port = process.argv[process.argv.indexOf('--port') + 1];
      await new Promise((resolve) => {
        const trial = createServer(() => trial.close(resolve)).listen(port, '127.0.0.1');
      });
      ${FILES['vite.config.js']}`,
  });
  await using dev = await startDev(['--from', 'sveltekit', '--quiet'], { cwd: app.folder });
  const [page, echoed] = await Promise.all([
    fetch(dev.url),
    fetch(`${dev.url}/echo`, { method: 'POST', body: 'a body' }),
  ]);
  expect([await page.text(), await echoed.text()]).toEqual([expect.stringContaining('/@vite/client'), 'a body']);
  dev.signal('SIGTERM');
  await dev.exited;
});

it('can be stopped before the framework is ready, and stops it too', async () => {
  await using app = await createTemporaryApp({
    ...FILES,
    'vite.config.js': `
      console.log('its process is', process.pid, 'at http');
      export default new Promise(() => setInterval(() => {}, 1000));`,
  });
  await using dev = await startDev(['--from', 'sveltekit'], { cwd: app.folder });
  const pid = Number(/its process is (\d+)/.exec(dev.lines.join())?.[1]);
  dev.signal('SIGTERM');
  await dev.exited;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('refuses a framework that it cannot start', async () => {
  await using app = await createTemporaryApp({ ...FILES, 'vite.config.js': 'throw new Error("no config");' });
  const refusal = async (...flags: string[]): Promise<string> => {
    const { code, stderr } = await runCli(['start', ...flags], { cwd: app.folder });
    expect(code).not.toBe(0);
    return stderr;
  };
  expect(await refusal('--from', 'sveltkit')).toContain(
    'sveltkit is not a framework whose development server appkit knows',
  );
  expect(await refusal('--from', 'sveltekit', '--host', 'bun')).toContain('not in bun');
  expect(await refusal('--from', 'nitro')).toContain('nitro dev is not a command of this project.');
  expect(await refusal('--from', 'sveltekit', '--open')).toContain('Open the URL that is printed.');
  const broken = await refusal('--from', 'sveltekit');
  expect(broken).toContain('no config');
  expect(broken).toContain('vite dev --strictPort ended before it accepted connections.');
});
