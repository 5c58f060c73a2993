/**
 * `npm run hosted`: builds the examples of other frameworks, exports each with `appkit export --from`, and tests it on
 * hosts. `--example` and `--host` choose, with `start` for their development servers; `npm test` runs two hosts.
 */
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serverEnvironment } from '../conformance/command.ts';
import { exportApps } from '../conformance/exported-apps.ts';
import type { ExportedApps } from '../conformance/exported-apps.ts';
import { findHosts, installTools, missingTool, onePerAdapter, prepareHost } from '../conformance/hosts.ts';
import type { FoundHost } from '../conformance/hosts.ts';
import { installLocked } from '../conformance/install-locked.ts';
import { startServer } from '../conformance/server-process.ts';
import { startChecks } from './checks.ts';
import { askHosted } from './hosted/behaviours.ts';
import type { Part } from './hosted/behaviours.ts';
import { linkModules } from './link-modules.ts';
import { copyProject } from './project.ts';
import { npmCommand, runCommand } from './run-command.ts';

const repository = path.resolve(import.meta.dirname, '..');
const examples = path.join(repository, 'examples/hosted');
const cache = path.join(repository, '.cache/hosted');
/** A folder that the examples share; not a framework. */
const SHARED = 'parts';

/** The parts for which an example has no routes. */
const WITHOUT: Record<string, readonly Part[]> = {
  // vike renders pages, and leaves routes to the server around it.
  vike: ['echo', 'cookies', 'stream', 'abort'],
  hono: ['assets'],
  nitro: ['assets'],
  // The page of astro has neither a script file nor a style file.
  astro: ['assets'],
};

/** What a host cannot do, whatever it hosts: see the gaps in docs/hosts.md. */
const UNABLE: Record<string, readonly Part[]> = {
  'aws-lambda': ['abort'],
  cloudflare: ['abort'],
  netlify: ['abort'],
};

/**
 * The export options for packages with variants, by example and host. Default: packages are resolved with Node's
 * conditions.
 */
const CONDITIONS: Record<string, Record<string, readonly string[]>> = {
  // Without these, solid-start gets a Response that only Node has.
  'solid-start': { cloudflare: ['--conditions', 'workerd', 'worker'] },
};

const { values } = parseArgs({
  options: { example: { type: 'string', multiple: true }, host: { type: 'string', multiple: true } },
});
const names = (await readdir(examples, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
  .map(({ name }) => name)
  .filter((name) => values.example?.includes(name) ?? true);
const hosts = onePerAdapter(await findHosts()).filter(({ emulator }) => values.host?.includes(emulator.name) ?? true);
/** Whether to test the development servers too, with `appkit start` in front. */
const isDeveloped = values.host?.includes('start') ?? true;
if (names.length === 0 || (hosts.length === 0 && !isDeveloped)) throw new Error('No example or no host has this name.');

const checks = startChecks();
const scratch = await mkdtemp(path.join(tmpdir(), 'appkit-hosted-'));
try {
  const apps = await exportApps(scratch, { apps: [], strict: false });
  await mkdir(cache, { recursive: true });
  await cp(path.join(examples, SHARED), path.join(cache, SHARED), { recursive: true });
  for (const name of names) {
    const project = await checks.run(`${name}: is built`, () => buildExample(name));
    if (project === undefined) continue;
    if (isDeveloped && project.from === name) await askDeveloped(project, apps);
    for (const host of hosts) await askOn(host, project, apps);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
process.exitCode = checks.report();

interface BuiltExample {
  name: string;
  folder: string;
  /** What `--from` is given. */
  from: string;
}

/** Installs and builds an example next to the packed packages. */
async function buildExample(name: string): Promise<BuiltExample> {
  const installed = await installLocked(path.join(examples, name), path.join(cache, name));
  const project = path.join(scratch, 'apps/hosted', name);
  const made = /\/(?:node_modules|dist|build|\.[\w-]+)$/;
  await cp(path.join(examples, name), project, { recursive: true, filter: (file) => !made.test(file) });
  await cp(path.join(examples, SHARED), path.join(scratch, 'apps/hosted', SHARED), { recursive: true });
  linkModules(path.join(installed, 'node_modules'), path.join(project, 'node_modules'));
  const from = name === 'hono' ? 'server.ts' : name;
  if (from === name) await runCommand([...npmCommand(), 'run', 'build'], { cwd: project });
  return { name, folder: project, from };
}

function askDeveloped({ name, folder }: BuiltExample, { cli }: ExportedApps): Promise<unknown> {
  return checks.run(`${name}: runs in development behind appkit start`, async () => {
    const command = [...cli, 'start', '--from', name, '--port', '0'] as const;
    const server = await startServer({ command, folder, env: { ...serverEnvironment }, ready: /Ready at (http\S+)/ });
    const page = await fetch(`${server.origin}/`);
    const text = await page.text();
    const { code, output } = await server.stop();
    if (page.status !== 200 || !text.includes('<')) throw new Error(`GET / is ${page.status}: ${text}\n${output}`);
    if (code !== 0) throw new Error(`It ended with ${code}, and had printed:\n${output.slice(-2000)}`);
  });
}

async function askOn(host: FoundHost, { name, folder: built, from }: BuiltExample, apps: ExportedApps): Promise<void> {
  const { emulator } = host;
  const where = `${name} on ${emulator.name}`;
  const started = await checks.run(`${where}: starts`, async () => {
    const env = await installTools(host);
    const missing = await missingTool(emulator, env);
    if (missing !== null) throw new Error(missing);
    // An example that is already in dist is replaced by its export.
    const project = path.join(path.dirname(built), `${name}-on-${emulator.name}`);
    copyProject(built, project);
    const conditions = CONDITIONS[name]?.[emulator.name] ?? [];
    await runCommand([...apps.cli, 'export', '--from', from, ...conditions], { cwd: project });
    const folder = path.join(scratch, 'hosts', name, emulator.name);
    const { local, basePath } = await prepareHost(host, {
      apps: { ...apps, folders: { app: project } },
      folder,
      env,
      from,
    });
    const server = await startServer({ ...local, folder: local.folders.app });
    return { server, origin: server.origin + basePath };
  });
  if (!started) return;
  const without = new Set([...(WITHOUT[name] ?? []), ...(UNABLE[emulator.name] ?? [])]);
  await askHosted(checks, { name: where, origin: started.origin, without });
  const { code, output } = await started.server.stop();
  await checks.run(`${where}: ends on SIGTERM`, async () => {
    if (code !== 0) throw new Error(`It ended with ${code}, and had printed:\n${output.slice(-2000)}`);
  });
}
