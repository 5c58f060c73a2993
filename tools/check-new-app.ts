/**
 * `npm run packages`, sixth part: creates new apps with `npm run new`, as the README says, and type-checks, tests,
 * exports, serves and develops them without any edit, and runs them on hosts with the files of `appkit init --host`.
 * Then compares an app of the packed `create-appkit` with one of these.
 *
 * `--newest` installs the newest Vite into each, as whoever updates an app does.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serverEnvironment } from '../conformance/command.ts';
import { findHosts, installTools } from '../conformance/hosts.ts';
import type { FoundHost } from '../conformance/hosts.ts';
import { startServer } from '../conformance/server-process.ts';
import type { ServerCommand } from '../conformance/server-process.ts';
import { listHosts } from './adapters.ts';
import { startChecks } from './checks.ts';
import { installNode } from './install.ts';
import { checkEvents, checkMembers, checkPages, checkRoute, checkSinglePage } from './new-app/answers.ts';
import { makeSinglePageHosts } from './new-app/single-page.ts';
import { copyProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

type Answers = readonly ((origin: string) => Promise<void>)[];

const SHELL = {
  ...serverEnvironment,
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  // This variable belongs to the npm that runs us, and another npm would use it as its own.
  npm_config_user_agent: '',
};
/** What the app needs on a host, as its README says. */
const OF_HOSTS = { SESSION_SECRET: 'a secret of this check, of 32 characters' };
const REPOSITORY = path.resolve(import.meta.dirname, '..');
/** The oldest Node whose npm runs the repository's scripts. The app needs a later Node, and `npm run new` says so. */
const OLDEST_NODE = '20.19.0';
/** Vitest's own limit of five seconds is an expectation, which a busy machine does not meet. */
const TEST = ['test', '--testTimeout=600000', '--hookTimeout=600000'] as const;
const KINDS = [
  {
    flags: ['--minimal'],
    node: OLDEST_NODE,
    hosts: ['node', 'express', 'cloudflare'],
    answers: [checkRoute],
    served: [checkRoute],
    started: [checkRoute],
    scripts: [['types'], ['build']],
  },
  {
    flags: [],
    node: undefined,
    hosts: listHosts(),
    answers: [checkRoute, checkPages, checkMembers],
    served: [checkRoute, checkPages, checkMembers, checkEvents],
    started: [checkRoute, checkMembers, checkEvents],
    scripts: [['types'], TEST, ['build']],
  },
];

const { values } = parseArgs({ options: { newest: { type: 'boolean', default: false } } });
const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-new-app-'));
try {
  const found = await findHosts();
  for (const { flags, node, hosts, answers, served, started, scripts } of KINDS) {
    const name = ['new', ...flags].join(' ');
    const project = path.join(scratch, `app${flags.join('')}`);
    const made = await checks.run(
      `${name}: makes an app that passes its scripts: ${scripts.map(([script]) => script).join(', ')}${node ? `, from Node ${node} too` : ''}`,
      async () => {
        const folder = path.relative(REPOSITORY, project);
        const command = ['npm', 'run', 'new', '--', folder, ...flags] as const;
        const said = await runCommand(command, { cwd: REPOSITORY, env: { ...SHELL, ...(await pathOf(node)) } });
        if (node)
          assert.match(said, new RegExp(`Your Node is ${RegExp.escape(node)}\\. The app needs 22\\.12 or later`));
        else assert.match(said, /^Written: a new app, with pages\. Next:\n\n {2}cd \.\..*\n {2}npm start /m);
        if (values.newest) await updateVite(project);
        for (const [script, ...args] of scripts)
          await runCommand(['npm', 'run', script, '--', ...args], { cwd: project, env: SHELL });
        return true;
      },
    );
    if (!made) continue;
    await checks.run(`${name}: types know the routes, once the app was exported`, () => checkTypes(project));
    const address = ['--port', '0', '--host', '127.0.0.1'] as const;
    const local = { folder: project, env: SHELL, ready: / at (http:\S+)\s/m };
    await checks.run(`${name}: appkit serve`, () =>
      startAndCheck(
        { ...local, env: { ...SHELL, ...OF_HOSTS }, command: [appkitOf(project), 'serve', ...address] },
        served,
      ),
    );
    await checks.run(`${name}: appkit start`, () =>
      startAndCheck({ ...local, command: [appkitOf(project), 'start', ...address] }, started),
    );
    for (const host of found.filter(({ emulator }) => hosts.includes(emulator.name)))
      await checks.run(`${name}: ${host.emulator.title}`, () => checkHost(host, { project, answers }));
  }
  await checks.run(
    'create-appkit: creates the same app as npm run new, except for the location of the packages',
    checkCreate,
  );
  const single = path.join(scratch, 'single');
  const hosts = await checks.run('web.output single: exports one HTML file', () =>
    makeSinglePageHosts({ from: path.join(scratch, 'app'), into: single, hosts: found }),
  );
  for (const { name, ...server } of hosts ?? [])
    await checks.run(`one HTML file for every path: ${name}`, () => startAndCheck(server, [checkSinglePage]));
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

/** The newest Vite has a bundler that an export may not know, which it says in a warning. */
async function updateVite(project: string): Promise<void> {
  await runCommand([...npmCommand(), 'install', '--save-exact', 'vite@latest'], { cwd: project, env: SHELL });
  const said = await runCommand(['sh', '-c', 'npm run build 2>&1'], { cwd: project, env: SHELL });
  assert.doesNotMatch(said, /^warning:|Update appkit-build/m);
}

/** The parameters of a route of the app have a type, and those of no other path. */
async function checkTypes(project: string): Promise<void> {
  const file = path.join(project, 'app/checked.ts');
  const types = (pattern: string): Promise<string> =>
    writeFile(file, `export type Params = import('appkit-server').RouteParams<'${pattern}'>;\n`).then(() =>
      runCommand(['npm', 'run', 'types'], { cwd: project, env: SHELL }),
    );
  try {
    await types('/hello');
    await assert.rejects(types('/nowhere'), /TS2344/);
  } finally {
    await rm(file);
  }
}

/** Runs the packed `create-appkit`, as npm would after fetching it. */
async function checkCreate(): Promise<void> {
  const made = path.join(scratch, 'app--minimal');
  const [tarball = ''] = globSync('vendor/create-appkit-*.tgz', { cwd: made });
  await runCommand([...npmCommand(), 'install', '--no-save', `./${tarball}`], { cwd: made, env: SHELL });
  const command = [path.join(made, 'node_modules/.bin/create-appkit'), 'created', '--minimal'] as const;
  await runCommand(command, { cwd: scratch, env: SHELL });
  const created = path.join(scratch, 'created');
  const names = globSync('**/*', { cwd: created });
  assert.ok(names.includes(path.join('app', 'hello+api.ts')), names.join('\n'));
  for (const name of ['app/hello+api.ts', 'app.json', 'README.md', '.gitignore', 'tsconfig.json'])
    assert.equal(await readFile(path.join(created, name), 'utf8'), await readFile(path.join(made, name), 'utf8'), name);
}

/** Runs an app on a host as conformance does, with what a user has to install there. */
async function checkHost(host: FoundHost, { project, answers }: { project: string; answers: Answers }): Promise<void> {
  const { emulator, hostFolder } = host;
  const folder = path.join(scratch, 'hosted');
  const env = { ...(await installTools(host)), PORT: '0', HOST: '127.0.0.1', ...OF_HOSTS };
  // Each from the export: what one host installs must not help the next.
  await rm(folder, { recursive: true, force: true });
  copyProject(project, folder);
  await runCommand([appkitOf(folder), 'init', '--host', emulator.name], { cwd: folder, env: SHELL });
  const packages = Object.entries(emulator.dependencies).map((entry) => entry.join('@'));
  if (packages.length > 0) await runCommand([...npmCommand(), 'install', ...packages], { cwd: folder, env: SHELL });
  for (const files of emulator.files) await cp(path.join(hostFolder, files), folder, { recursive: true });
  for (const command of emulator.prepare ?? []) await runCommand(command, { cwd: folder, env });
  await startAndCheck({ command: emulator.command, folder, env, ready: emulator.ready }, answers);
}

async function startAndCheck(command: ServerCommand, answers: Answers): Promise<void> {
  const server = await startServer(command);
  try {
    for (const check of answers) await check(server.origin);
  } catch (error) {
    const { output } = await server.stop();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe server printed:\n${output}`, {
      cause: error,
    });
  }
  await server.stop();
}

/** The variable that makes a shell find that Node first. */
async function pathOf(node: string | undefined): Promise<Record<string, string>> {
  if (node === undefined) return {};
  const bin = path.dirname(await installNode(node, path.join(scratch, 'oldest-node')));
  return { PATH: [bin, process.env['PATH']].join(path.delimiter) };
}

function appkitOf(folder: string): string {
  return path.join(folder, 'node_modules/.bin/appkit');
}
