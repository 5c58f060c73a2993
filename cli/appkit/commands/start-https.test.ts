import { once } from 'node:events';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, startDev } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

let app: TemporaryApp;

beforeAll(async () => {
  app = await createTemporaryApp({
    'package.json': '{ "type": "module" }',
    'app.json': '{ "web": { "output": "server" } }',
    'app/index.tsx': 'export default function Page() { return <p>version 0</p>; }',
    'app/url+api.ts': 'export const GET = ({ url }: Request) => new Response(url);',
  });
});

afterAll(() => app[Symbol.asyncDispose]());

const certificateFile = (): string => path.join(app.folder, '.appkit/https/_cert.pem');
const ask = async (url: string, ca: string): Promise<string> => {
  const [response] = (await once(request(url, { ca }).end(), 'response')) as [IncomingMessage];
  return text(response);
};

it('creates a certificate, keeps it for the next start, and prints an https URL', async () => {
  let certificate: string;
  {
    await using dev = await startDev(['--https'], { cwd: app.folder });
    expect(dev.url).toMatch(/^https:\/\/localhost:\d+$/);
    await expect.poll(() => readFile(certificateFile(), 'utf8').catch(() => '')).toContain('PRIVATE KEY');
    certificate = await readFile(certificateFile(), 'utf8');
    expect(await ask(`${dev.url}/url`, certificate)).toBe(`${dev.url}/url`);
  }
  expect((await stat(path.dirname(certificateFile()))).mode & 0o077).toBe(0);
  await using again = await startDev(['--https'], { cwd: app.folder });
  expect(await ask(`${again.url}/url`, certificate)).toBe(`${again.url}/url`);
});

it("accepts the user's own certificate, which Vite's WebSocket uses too", async () => {
  const own = await readFile(certificateFile(), 'utf8');
  await writeFile(path.join(app.folder, 'own.pem'), own);
  await using dev = await startDev(['--cert', 'own.pem', '--key', 'own.pem'], { cwd: app.folder });
  const page = await ask(dev.url, own);
  expect(page).toContain('version 0');
  const client = await ask(`${dev.url}/_appkit/dev/vite/@vite/client`, own);
  const [, token] = /const wsToken = "([^"]+)"/.exec(client) ?? [];
  const { port } = new URL(dev.url);
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-protocol': 'vite-hmr',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    origin: dev.url,
  };
  const target = `https://localhost:${port}/_appkit/dev/vite/?token=${token}`;
  const [, socket] = (await once(request(target, { ca: own, headers }).end(), 'upgrade')) as [unknown, Duplex];
  let told = '';
  socket.on('data', (chunk: Buffer) => (told += chunk.toString('latin1')));
  await expect.poll(() => told).toContain('connected');
  // Vite only reports changes of modules that a browser has loaded.
  await ask(`${dev.url}/_appkit/dev/vite/app/index.tsx`, own);
  await writeFile(path.join(app.folder, 'saved'), 'export default function Page() { return <p>version 1</p>; }');
  await rename(path.join(app.folder, 'saved'), path.join(app.folder, 'app/index.tsx'));
  await expect.poll(() => told).toMatch(/app\/index\.tsx|full-reload/);
  socket.destroy();
});

it('refuses a certificate without its key, and one that cannot be read', async () => {
  const refusal = async (args: string[]): Promise<string> => {
    const { code, stderr } = await runCli(['start', ...args], { cwd: app.folder });
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refusal(['--cert', 'own.pem'])).toBe(
    'error: --cert and --key belong together: one of them is missing.\n  Give both, or --https alone for a certificate that start makes.\n',
  );
  expect(await refusal(['--cert', 'none.pem', '--key', 'own.pem'])).toBe(
    'error: none.pem: cannot read this file.\n  Correct the path after --cert.\n',
  );
  expect(await refusal(['--cert', 'app.json', '--key', 'own.pem'])).toMatch(
    /^error: app\.json and own\.pem are no certificate and its key: .+\n {2}Give PEM files that belong together after --cert and --key\.\n$/,
  );
});
