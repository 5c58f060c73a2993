/**
 * `npm run packages`, seventh part: the packed sign-in packages, unchanged, in every runtime that they support. In each
 * runtime, one program signs in with a provider on this machine.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startProvider } from '../auth/session/fixtures/provider.ts';
import { visit } from '../auth/session/fixtures/visit.ts';
import { findHosts, installTools, missingTool } from '../conformance/hosts.ts';
import { checkRefreshOnWorkerd } from './auth-runtimes/refresh-on-workerd.ts';
import { startChecks } from './checks.ts';
import { install, installNode } from './install.ts';
import { packPackages } from './pack.ts';
import { runCommand } from './run-command.ts';

const OLDEST_NODE = '20.19.0';
const PROGRAMS = path.join(import.meta.dirname, 'auth-runtimes');
const BROWSER = path.join(import.meta.dirname, '../auth/session/fixtures/browser.ts');

const SIGNED_IN = {
  hasChallenge: true,
  result: 'success',
  tokenType: 'bearer',
  claims: { sub: 'ada', email: 'ada@example.test' },
  isRotated: true,
  isRevoked: true,
  afterwards: 'invalid_token',
  idTokenOfAnotherRequest: 'invalid_id_token',
  idTokenInUrl: 'success',
  slow: 'no_response',
  redirected: 'invalid_response',
  digest: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  isUuid: true,
  bytes: 16,
};

/** A program with the arguments that precede those of the script. */
type Command = [string, ...string[]];

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-auth-runtimes-'));
const provider = await startProvider();
const user = await startUser();
try {
  const tarballs = await packPackages(path.join(scratch, 'tarballs'));
  const folder = path.join(scratch, 'app');
  const names = ['appkit-crypto', 'appkit-web-browser', 'appkit-auth-session'];
  await install(
    folder,
    names.map((name) => tarballs[name] as string), // packed as well
  );
  await cp(PROGRAMS, folder, { recursive: true });

  const run = async (command: Command, expected: unknown, env: Record<string, string> = {}): Promise<void> => {
    const output = await runCommand(command, { cwd: folder, env });
    assert.deepEqual(JSON.parse(output.trim().split('\n').at(-1) ?? ''), expected);
  };
  const browser = JSON.stringify([process.execPath, BROWSER]);

  const node = await installNode(OLDEST_NODE, path.join(scratch, 'oldest-node'));
  await checks.run(`sign-in on Node ${OLDEST_NODE}`, () =>
    run([node, 'main.mjs', provider.issuer, user.origin], SIGNED_IN),
  );

  await inRuntime('bun', async ({ title, env }) => {
    await checks.run(`sign-in on ${title}`, () =>
      run(['bun', 'main.mjs', provider.issuer, user.origin], SIGNED_IN, env),
    );
    await checks.run(`sign-in on ${title}, as a command-line tool`, () =>
      run(['bun', 'loopback.mjs', provider.issuer, browser], { result: 'success', tokenType: 'bearer' }, env),
    );
  });

  await inRuntime('deno', async ({ title, env }) => {
    const deno = (...flags: string[]): Command => [
      'deno',
      'run',
      '--no-prompt',
      '--no-remote',
      '--allow-net=127.0.0.1',
      ...flags,
    ];
    await checks.run(`sign-in on ${title}, allowed nothing but this machine`, () =>
      run([...deno(), 'main.mjs', provider.issuer, user.origin], SIGNED_IN, env),
    );
    const allowed = deno(`--allow-run=${process.execPath}`, '--allow-env');
    await checks.run(`sign-in on ${title}, as a command-line tool that may run the browser`, () =>
      run([...allowed, 'loopback.mjs', provider.issuer, browser], { result: 'success', tokenType: 'bearer' }, env),
    );
    await checks.run(`sign-in on ${title}, as a command-line tool that may not`, () =>
      run([...deno(), 'loopback.mjs', provider.issuer, browser], { error: 'ERR_WEB_BROWSER_OPEN' }, env),
    );
  });

  await inRuntime('cloudflare', async ({ title, env }) => {
    await checks.run(`sign-in on ${title}, without nodejs_compat`, async () => {
      await runCommand(['wrangler', 'deploy', '--dry-run', '--outdir', 'worker'], { cwd: folder, env });
      const command: Command = ['node', 'workerd.mjs', 'worker', provider.issuer, user.origin];
      await run(command, { ...SIGNED_IN, prompt: 'cancel' }, env);
    });
    await checks.run(`sessions on ${title}: a client that leaves keeps no other one from a refresh`, () =>
      checkRefreshOnWorkerd(env['APPKIT_TOOLS'] ?? ''),
    );
  });
} finally {
  await user.close();
  await provider[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

/** Runs the check with the tools that conformance has for a host, or reports that they are not available. */
async function inRuntime(
  name: string,
  work: (runtime: { title: string; env: Record<string, string> }) => Promise<void>,
): Promise<void> {
  const host = (await findHosts()).find(({ emulator }) => emulator.name === name);
  if (host === undefined) throw new Error(`Unknown host ${name}: adapters/ has no such folder.`);
  const { title } = host.emulator;
  const env = await installTools(host).catch((error: Error) => `its tools cannot be installed: ${error.message}`);
  const missing = typeof env === 'string' ? env : await missingTool(host.emulator, env);
  if (typeof env === 'string' || missing !== null) console.log(`not run: ${title}: ${missing}`);
  else await work({ title, env });
}

/** The user with a browser, controlled over HTTP, since not every runtime can start a program. */
async function startUser(): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://user');
    if (pathname === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end();
    if (pathname !== '/visit') return;
    visit(searchParams.get('url') ?? '').then(
      (returned) => response.end(returned),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
