/**
 * `npm run packages`, third part: in a copy of this repository, builds examples/hello with the builders of Vercel and
 * Netlify and the files that deploy it from here (vercel.json, vercel.legacy.json and netlify.toml), and checks the
 * answers of the result. Then deploys it with `appkit deploy` and the real tools, as far as that works without a
 * network.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findHosts, installTools } from '../conformance/hosts.ts';
import { startChecks } from './checks.ts';
import { checkDryRun } from './deploy/check-dry-runs.ts';
import { checkServer } from './example/check-server.ts';
import { pageChecks } from './example/page.ts';
import { sessionChecks } from './example/session.ts';
import { todosChecks } from './example/todos.ts';
import { npmCommand, runCommand } from './run-command.ts';

type Command = readonly [string, ...string[]];

/** The tools of a host, as conformance installs them. */
interface Tools {
  adapter: string;
  /** The environment that its commands run in. */
  env: Record<string, string>;
}

/** How a host builds and serves a deployment from the clone. */
interface Deployment {
  builds: readonly Command[];
  /** The folder of the built function. */
  output: string;
  serve: Command;
  env: Record<string, string>;
}

const REPOSITORY = path.resolve(import.meta.dirname, '..');
const READY = /^Listening on (http:\S+)$/m;
const CHECKS = { ...pageChecks, ...todosChecks, ...sessionChecks };

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-deploy-'));
const clone = path.join(scratch, 'clone');
try {
  await cp(REPOSITORY, clone, { recursive: true, filter: isCloned });
  const vercel = await checks.run('the tools of Vercel are installed', () => toolsOf('vercel'));
  if (vercel) {
    // Vercel installs what the rest needs.
    await checkVercel(vercel);
    await checks.run('the clone has every package that its manifests ask for', () =>
      runCommand([...npmCommand(), 'ls', '--all'], { cwd: clone }),
    );
    const netlify = await checks.run('the tools of Netlify are installed', () => toolsOf('netlify'));
    if (netlify) await checkNetlify(netlify);
    await checkDryRuns();
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

async function checkDryRuns(): Promise<void> {
  const built = await checks.run('the clone builds', async () => {
    await runCommand([...npmCommand(), 'run', 'build'], { cwd: clone });
    return true;
  });
  if (!built) return;
  for (const [host, emulator] of [
    ['vercel', 'vercel'],
    ['netlify', 'netlify-serve'],
    ['cloudflare', 'cloudflare'],
  ] as const) {
    const tools = await checks.run(`the tool that deploys to ${host} is there`, () => toolsOf(emulator));
    if (tools) await checkDryRun(checks, { host, ...tools }, path.join(clone, 'examples/hello'));
  }
}

async function checkVercel({ adapter, env }: Tools): Promise<void> {
  // Here and not in `npm run check`: the dependencies of @vercel/node are too much for installing the repository.
  await checks.run("the types of @vercel/node accept the adapter's handler", () =>
    runCommand(['tsc', '-p', path.join(adapter, 'tools')], { cwd: REPOSITORY }),
  );
  await cp(path.join(adapter, 'emulator/.vercel'), path.join(clone, '.vercel'), { recursive: true });
  const build: Command = ['vercel', 'build', '--yes', '--global-config', '.vercel/global-config'];
  const serve: Command = ['node', path.join(adapter, 'emulator/host/serve-output.mjs')];
  const functions = '.vercel/output/functions/api';
  await check('vercel.json', { builds: [build], output: `${functions}/index.func`, serve, env });
  const legacy: Command = [...build, '--local-config', 'vercel.legacy.json'];
  await check('vercel.legacy.json', { builds: [legacy], output: `${functions}/index.js.func`, serve, env });
}

async function checkNetlify({ adapter, env }: Tools): Promise<void> {
  const tools = createRequire(path.join(env['APPKIT_TOOLS'] ?? '', 'package.json'));
  const { parse } = (await import(pathToFileURL(tools.resolve('smol-toml')).href)) as {
    parse(text: string): { build: { command: string } }; // of our netlify.toml
  };
  const { build } = parse(await readFile(path.join(clone, 'netlify.toml'), 'utf8'));
  const bundle: Command = ['node', path.join(adapter, 'emulator/host/bundle.mjs')];
  const serve: Command = ['node', path.join(adapter, 'emulator/host/serve-function.mjs')];
  const builds: Command[] = [['sh', '-c', build.command], bundle];
  await check('netlify.toml', { builds, output: '.netlify/functions/server', serve, env });
}

async function check(name: string, { builds, output, serve, env }: Deployment): Promise<void> {
  const built = await checks.run(`${name}: builds`, async () => {
    // Leftovers of an earlier build must not help this one.
    await runCommand([...npmCommand(), 'run', 'clean'], { cwd: clone });
    for (const left of ['examples/hello/dist', '.vercel/output', '.netlify']) {
      await rm(path.join(clone, left), { recursive: true, force: true });
    }
    for (const command of builds) await runCommand(command, { cwd: clone, env });
    return true;
  });
  if (!built) return;
  await checks.run(`${name}: the function has the handler and the example in it, and nothing else of the clone`, () =>
    checkFunction(path.join(clone, output)),
  );
  const server = { name, command: serve, folder: clone, env: { ...env, PORT: '0', HOST: '127.0.0.1' }, ready: READY };
  await checkServer(checks, server, CHECKS);
}

async function checkFunction(folder: string): Promise<void> {
  const expected = ['api', 'examples', 'netlify', 'runtime', 'node_modules/appkit-server'];
  const names = await foldersIn(folder);
  const modules = names.includes('node_modules') ? await readdir(path.join(folder, 'node_modules')) : [];
  const all = [...names.filter((name) => name !== 'node_modules'), ...modules.map((name) => `node_modules/${name}`)];
  assert.deepEqual(
    all.filter((name) => !expected.includes(name)),
    [],
  );
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

async function toolsOf(name: string): Promise<Tools> {
  const host = (await findHosts()).find(({ emulator }) => emulator.name === name);
  if (!host) throw new Error(`Unknown host ${name}: adapters/ has no such folder.`);
  return { adapter: host.hostFolder, env: await installTools(host) };
}

/** Whether git would include a file: nothing that is installed, built or kept between runs. */
function isCloned(file: string): boolean {
  const name = path.relative(REPOSITORY, file);
  return !/^\.(git|cache|vercel|netlify)$/.test(name) && !/^(node_modules|dist)$/.test(path.basename(name));
}
