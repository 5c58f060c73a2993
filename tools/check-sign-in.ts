/**
 * `npm run packages`, fourth part: `npm start -- sign-in`, which installs examples/sign-in from the packed tarballs.
 * Then hosts a copy of it outside the repository on every host as its README says, and on the emulators of hosts that
 * the README does not name, with the local provider next to it, and signs in there with Chromium.
 *
 * With `--screenshot`, also writes the pictures of the README. `--host <name>` checks only one host, in the last
 * installation.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { serverEnvironment } from '../conformance/command.ts';
import { findHosts, installTools } from '../conformance/hosts.ts';
import type { FoundHost } from '../conformance/hosts.ts';
import { startServer } from '../conformance/server-process.ts';
import type { ServerProcess } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { readHosts } from './example/readme-hosts.ts';
import type { ReadmeHost } from './example/readme-hosts.ts';
import { copyProject, copyInstalled } from './project.ts';
import { runCommand } from './run-command.ts';
import type { SignInApp } from './sign-in/app.ts';
import { originChecks } from './sign-in/origin.ts';
import { pageChecks } from './sign-in/page.ts';
import { routeChecks } from './sign-in/routes.ts';
import { showProviderDown, takeScreenshots } from './sign-in/screenshot.ts';
import { checkStart } from './sign-in/start.ts';
import { visit } from './sign-in/visit.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/sign-in');
/** The folder where `npm start` puts the example. */
const STARTED = path.resolve(import.meta.dirname, '../.cache/sign-in');
const READY = /^Listening on (http:\S+)\n/m;
/** Where nothing listens. */
const NO_PROVIDER = 'http://127.0.0.1:1';
/** Function hosts, each with its own tools. */
const EMULATED = ['netlify', 'vercel', 'cloudflare'];
const PROVIDER = /^Local provider: (http:\S+)\. .*\n/m;
const SECRETS = { CLIENT_SECRET: randomText(), SESSION_SECRET: randomText() };
// As in a user's shell, except for where npm looks first. The build must not contain these secrets.
const SHELL = { ...serverEnvironment, ...SECRETS, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

const [, only] = /--host[ =](\S+)/.exec(process.argv.join(' ')) ?? [];
const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-sign-in-'));
const browser = await startBrowser();
try {
  if (only === undefined)
    await checks.run('npm start -- sign-in: a user signs in, and Ctrl-C stops everything', () => checkStart(browser));
  const project = path.join(scratch, 'sign-in');
  await copyInstalled({ from: EXAMPLE, into: project, installed: STARTED });
  await checks.run('the example type-checks', () => runCommand(['npm', 'run', 'types'], { cwd: project, env: SHELL }));
  await checks.run('the example builds', () => runCommand(['npm', 'run', 'build'], { cwd: project, env: SHELL }));
  await checks.run('no secret is in what was built', () => assertNoSecretIn(path.join(project, 'dist')));

  // Simultaneously: a user waits more than a machine does.
  const hosts = await readHosts(path.join(EXAMPLE, 'README.md'));
  const isWanted = ({ name }: { name: string }): boolean => only === undefined || name.toLowerCase() === only;
  await Promise.all(hosts.filter(isWanted).map((host) => checkHost(host, project, browser)));
  const found = (await findHosts()).filter(({ emulator }) => EMULATED.includes(emulator.name) && isWanted(emulator));
  await Promise.all(found.map((host) => checkEmulated(host, project, browser)));
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

async function checkHost({ name, steps, start }: ReadmeHost, project: string, browser: Browser): Promise<void> {
  // Each from the build: what one host installs must not help the next.
  const folder = path.join(scratch, name);
  copyProject(project, folder);
  const running = await checks.run(`${name}: the steps of the README`, async () => {
    for (const step of steps) await runCommand(step, { cwd: folder, env: SHELL });
    const env = { ...serverEnvironment, ...SECRETS, PORT: '0', HOST: '127.0.0.1' };
    return startServer({ command: ['node', 'provider/run.ts', ...start], folder, env, ready: READY });
  });
  if (!running) return;
  const app = await checkApp(name, running, browser);
  await checks.run(`${name}: says that the provider is down, and the log says where it was looked for`, async () => {
    const provider = { ISSUER: NO_PROVIDER, CLIENT_ID: app.clientId };
    const env = { ...serverEnvironment, ...SECRETS, ...provider, PORT: '0', HOST: '127.0.0.1' };
    const server = await startServer({ command: start, folder, env, ready: READY });
    const origin = server.origin.replace('127.0.0.1', 'localhost');
    try {
      await visit({ browser, origin }, ({ page }) => showProviderDown(page));
      await server.waitForOutput(/The issuer at http:\/\/127\.0\.0\.1:1 has not answered/);
      if (process.argv.includes('--screenshot') && name === 'Node') await takeScreenshots(app, origin, EXAMPLE);
    } finally {
      await server.stop();
    }
  });
  await checks.run(`${name}: SIGTERM ends it with code 0, and it has printed no error`, async () => {
    const { code, output } = await running.stop();
    assert.deepEqual({ code, output: output.replace(READY, '').replace(PROVIDER, '') }, { code: 0, output: '' });
  });
  for (const [what, check] of Object.entries(originChecks))
    await checks.run(`${name}: ${what}`, () =>
      check((appOrigin) => {
        const provider = { ISSUER: 'https://accounts.example', CLIENT_ID: 'my-app' };
        const host = { PORT: '0', HOST: '127.0.0.1', APP_ORIGIN: appOrigin };
        const env = { ...serverEnvironment, ...SECRETS, ...provider, ...host };
        return startServer({ command: start, folder, env, ready: READY });
      }),
    );
}

/** Runs the example on a function host as conformance does. */
async function checkEmulated(host: FoundHost, project: string, browser: Browser): Promise<void> {
  const { emulator, hostFolder } = host;
  const folder = path.join(scratch, emulator.name);
  copyProject(project, folder);
  const running = await checks.run(`${emulator.title}: the files of appkit init, and its own tools`, async () => {
    const env = { ...(await installTools(host)), ...SECRETS, PORT: '0', HOST: '127.0.0.1' };
    const init = [path.join(folder, 'node_modules/.bin/appkit'), 'init', '--host', emulator.name] as const;
    await runCommand(init, { cwd: folder, env: SHELL });
    for (const files of emulator.files) await cp(path.join(hostFolder, files), folder, { recursive: true });
    for (const command of emulator.prepare ?? []) await runCommand(command, { cwd: folder, env });
    const command = ['node', 'provider/run.ts', ...emulator.command] as const;
    return startServer({ command, folder, env, ready: emulator.ready });
  });
  if (!running) return;
  await checkApp(emulator.title, running, browser);
  await running.stop();
}

/** Checks the example where it runs. */
async function checkApp(name: string, running: ServerProcess, browser: Browser): Promise<SignInApp> {
  const [, issuer = ''] = await running.waitForOutput(PROVIDER);
  const app = {
    // At the address at which a user opens it. The provider is at 127.0.0.1, which is another site.
    origin: running.origin.replace('127.0.0.1', 'localhost'),
    issuer,
    clientId: 'sign-in-example',
    clientSecret: SECRETS.CLIENT_SECRET,
    sessionSecret: SECRETS.SESSION_SECRET,
    browser,
  };
  for (const [what, check] of Object.entries({ ...pageChecks, ...routeChecks }))
    await checks.run(`${name}: ${what}`, () => check(app));
  return app;
}

async function assertNoSecretIn(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  assert.ok(
    files.some((file) => file.includes('/client/assets/')),
    'There is no script in dist/client.',
  );
  for (const file of files) {
    const text = await readFile(file, 'utf8');
    for (const [name, secret] of Object.entries(SECRETS)) assert.ok(!text.includes(secret), `${name} is in ${file}.`);
  }
}

function randomText(): string {
  return randomBytes(32).toString('base64url');
}
