/**
 * `npm run packages`, fourth part: `npm start -- sign-in`, which installs examples/sign-in from the packed tarballs. Then hosts a
 * copy of it outside the repository as its README says on every host, with the local provider beside it, and signs in there with
 * Chromium.
 *
 * With `--screenshot`, writes the picture of the README as well.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { serverEnvironment } from '../conformance/command.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { readHosts, type ReadmeHost } from './example/readme-hosts.ts';
import { copyProject, copyInstalled } from './project.ts';
import { runCommand } from './run-command.ts';
import { originChecks } from './sign-in/origin.ts';
import { pageChecks } from './sign-in/page.ts';
import { routeChecks } from './sign-in/routes.ts';
import { takeScreenshot } from './sign-in/screenshot.ts';
import { checkStart } from './sign-in/start.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../examples/sign-in');
/** Where `npm start` puts the example. */
const STARTED = path.resolve(import.meta.dirname, '../.cache/sign-in');
const READY = /^Listening on (http:\S+)\n/m;
const PROVIDER = /^Local provider: (http:\S+)\. .*\n/m;
const SECRETS = { CLIENT_SECRET: randomText(), SESSION_SECRET: randomText() };
// As in a user's shell, but for where npm looks first. The build must leave alone what it is given here.
const SHELL = { ...serverEnvironment, ...SECRETS, npm_config_prefer_offline: 'true', npm_config_audit: 'false' };

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-sign-in-'));
const browser = await startBrowser();
try {
  await checks.run('npm start -- sign-in: a user signs in, and Ctrl-C stops everything', () => checkStart(browser));
  const project = path.join(scratch, 'sign-in');
  await copyInstalled({ from: EXAMPLE, into: project, installed: STARTED });
  await checks.run('the example type-checks', () => runCommand(['npm', 'run', 'types'], { cwd: project, env: SHELL }));
  await checks.run('the example builds', () => runCommand(['npm', 'run', 'build'], { cwd: project, env: SHELL }));
  await checks.run('no secret is in what was built', () => assertNoSecretIn(path.join(project, 'dist')));

  // At the same time: a user waits more than a machine does.
  const hosts = await readHosts(path.join(EXAMPLE, 'README.md'));
  await Promise.all(hosts.map((host) => checkHost(host, project, browser)));
} finally {
  await browser.close();
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

async function checkHost({ name, steps, start }: ReadmeHost, project: string, browser: Browser): Promise<void> {
  // Each from what was built: what one host installs must not help the next.
  const folder = path.join(scratch, name);
  copyProject(project, folder);
  const running = await checks.run(`${name}: the steps of the README`, async () => {
    for (const step of steps) await runCommand(step, { cwd: folder, env: SHELL });
    const env = { ...serverEnvironment, ...SECRETS, PORT: '0', HOST: '127.0.0.1' };
    return startServer({ command: ['node', 'provider/run.ts', ...start], folder, env, ready: READY });
  });
  if (!running) return;
  const [, issuer = ''] = await running.waitForOutput(PROVIDER);
  const app = {
    // As a user opens it. The provider is at 127.0.0.1, which is another site.
    origin: running.origin.replace('127.0.0.1', 'localhost'),
    issuer,
    clientId: 'sign-in-example',
    clientSecret: SECRETS.CLIENT_SECRET,
    sessionSecret: SECRETS.SESSION_SECRET,
    browser,
  };
  for (const [what, check] of Object.entries({ ...pageChecks, ...routeChecks }))
    await checks.run(`${name}: ${what}`, () => check(app));
  if (process.argv.includes('--screenshot') && name === 'Node')
    await takeScreenshot(app, path.join(EXAMPLE, 'screenshot.png'));
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
