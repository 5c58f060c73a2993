import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand, serverEnvironment } from './command.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

const certificate = path.join(import.meta.dirname, 'fixtures/localhost.pem');
let folder: string;
let deployment: ServerProcess;

/** Runs the suite through its command and returns its output, whether it succeeded or not. */
async function conformance(...options: string[]): Promise<string> {
  const command = ['node', path.join(import.meta.dirname, 'run.ts'), ...options] as const;
  // Only --url trusts the test's certificate: npm may need the one that is set.
  const env = { ...process.env, ...(options[0] === '--url' ? { NODE_EXTRA_CA_CERTS: certificate } : {}) };
  try {
    const { stdout, stderr } = await runCommand(command, import.meta.dirname, env);
    return stdout + stderr;
  } catch (error) {
    return (error as Error).message; // of runCommand
  }
}

beforeAll(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'appkit-deployed-')), 'fixture');
  expect(await conformance('--host', 'node', '--prepare', folder)).toContain('--host node --url');
  // The template over TLS, like a deployment.
  const server = await readFile(path.join(folder, 'server.mjs'), 'utf8');
  const tls = server
    .replace("from 'node:http'", "from 'node:https'")
    .replace('createServer((', 'createServer({ key: pem, cert: pem }, (')
    .replace('Listening on http:', 'Listening on https:');
  const pem = `import { readFileSync } from 'node:fs';\nconst pem = readFileSync(${JSON.stringify(certificate)});\n`;
  await writeFile(path.join(folder, 'https.mjs'), pem + tls);
  deployment = await startServer({
    command: ['node', 'https.mjs'],
    folder,
    env: { ...serverEnvironment, NODE_EXTRA_CA_CERTS: certificate, PORT: '0', HOST: '127.0.0.1' },
    ready: /Listening on (https:\/\/\S+)/,
  });
});

afterAll(async () => {
  await deployment?.stop();
  await rm(path.join(folder, '..'), { recursive: true });
});

it('shows every behaviour of a deployed fixture that needs only its URL', async () => {
  const output = await conformance('--url', deployment.origin);
  expect(output).toMatch(/^[3-9]\d\d passed, 0 failed$/m);
  expect(output).toMatch(/ 0 gaps, [1-9]\d* not applicable$/m);
});

it('turns red when the deployment is wrong', async () => {
  const wrong = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/hello' ? '{"hello":"world"}' : '{}');
  });
  await using server = await listening(wrong);
  const output = await conformance('--url', server.url, '--only', 'sends several cookies');
  expect(output).toMatch(/^0 passed, 1 failed$/m);
});

it('refuses a URL that does not serve the fixture', async () => {
  await using server = await listening(createServer((_, response) => response.writeHead(404).end()));
  const output = await conformance('--url', server.url);
  expect(output).toContain(`${server.url} is not the fixture app of the suite: GET /hello answered 404`);
  expect(output).toContain('--prepare');
});

it.each([
  ['shop.example', /takes a whole URL/],
  ['ftp://shop.example', /takes an http or https URL/],
  ['http://127.0.0.1:2', /GET \/hello failed: .*ECONNREFUSED/],
])('says what is wrong with --url %s', async (url, message) => {
  expect(await conformance('--url', url)).toMatch(message);
});

it('prepares the fixture for one host only, in a separate folder', async () => {
  expect(await conformance('--prepare', folder)).toContain('give one --host <name>');
  expect(await conformance('--prepare', folder, '--host', 'node')).toContain(`${folder} is not empty`);
});

async function listening(server: Server): Promise<{ url: string } & AsyncDisposable> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
