import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DevelopmentBundle } from 'appkit-build/development';
import type { Manifest } from 'appkit-server/manifest';
import { CommandError } from '../../command-error.ts';
import { findTool } from '../../deploy/find-tool.ts';
import { printWarning } from '../../report/error.ts';
import { findJobs } from '../../serve/open-jobs.ts';
import type { BuiltCode, HostRunner, RunnerOptions, RunningBuild } from './host-runner.ts';
import type { JobSettings } from './jobs-in-host.ts';
import type { Order, ProcessSettings } from './process-script.ts';

/** The differences between Bun and Deno. */
interface Runtime {
  name: 'bun' | 'deno';
  /** The version to install. */
  version: string;
  configFiles: readonly string[];
  /** The arguments before those of the script. */
  args(options: { projectRoot: string; script: string }): string[];
}

/** The message of a process that begins no more jobs. */
const PAUSED = '{"paused":true}';

/** How long a process may take to pause its jobs, in milliseconds. Code that never ends keeps it from hearing of that. */
const PAUSE_MS = 5000;

/** How long processes may take to give back their jobs, in milliseconds: less than `appkit start` takes to end. */
const CLOSE_MS = 400;

const RUNTIMES: Readonly<Record<Runtime['name'], Runtime>> = {
  bun: {
    name: 'bun',
    version: '1',
    configFiles: ['bunfig.toml'],
    args: ({ script }) => [script],
  },
  deno: {
    name: 'deno',
    version: '2',
    configFiles: ['deno.json', 'deno.jsonc'],
    args({ projectRoot, script }) {
      // Deno looks for it next to the script. Without a file, these are the settings of the template.
      const own = ['deno.json', 'deno.jsonc']
        .map((name) => path.join(projectRoot, name))
        .find((file) => existsSync(file));
      const settings = own === undefined ? ['--no-config', '--unstable-no-legacy-abort'] : ['--config', own];
      return ['run', '--allow-all', '--no-remote', '--node-modules-dir=manual', ...settings, script];
    },
  },
};

/** Makes a runner of server builds in Bun or Deno: a new process for each build.
 *
 * @throws CommandError when the runtime is not installed.
 */
export function createProcessRunner(name: Runtime['name'], options: RunnerOptions): HostRunner {
  const { projectRoot } = options;
  const { version, configFiles, args } = RUNTIMES[name];
  const tool = findTool({ name, package: name }, projectRoot);
  if (!tool) {
    throw new CommandError(
      `appkit start --host ${name} needs ${name}, which is not installed.`,
      `Install it in the folder of the app: npm install --save-dev ${name}@${version}`,
    );
  }
  const script = fileURLToPath(import.meta.resolve(`./serve-${name}.js`));
  const adapter = import.meta.resolve(`appkit-server/adapter/${name}`);
  const folders = path.join(projectRoot, '.appkit/hosts');
  removeAbandoned(folders, name);
  const folder = path.join(folders, `${name}-${process.pid}`);
  const running = new Set<ChildProcess>();
  const withJobs = new WeakSet<ChildProcess>();
  let count = 0;

  return {
    name,
    configFiles,
    forgetConfig: () => undefined,
    async run(bundle) {
      // A build that still answers may load a file for the first time.
      const root = path.join(folder, String(count++));
      await writeBuild(root, bundle);
      const jobs = hasJobs(bundle) ? toJobSettings(projectRoot) : undefined;
      const settings: ProcessSettings = { ...options.settings, build: root, adapter, jobs };
      const child = spawn(tool.file, [...tool.args, ...args({ projectRoot, script }), JSON.stringify(settings)], {
        cwd: projectRoot,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      });
      running.add(child);
      if (jobs) withJobs.add(child);
      // It may have ended before it is told something.
      child.stdin?.on('error', () => undefined);
      const ended = new Promise<void>((resolve) => {
        child.once('exit', () => {
          running.delete(child);
          rmSync(root, { recursive: true, force: true });
          resolve();
        });
      });
      const told = readLines(child, { name, code: { root, maps: bundle.maps }, ...options });
      const port = await told.port;
      return toRunning(child, { port, root, ended, whenPaused: jobs && told.paused });
    },
    async close() {
      const ended = [...running].map((child) => once(child, 'exit'));
      for (const child of running) {
        if (withJobs.has(child)) child.stdin?.end();
        else child.kill('SIGKILL');
      }
      const killed = setTimeout(() => [...running].map((child) => child.kill('SIGKILL')), CLOSE_MS);
      await Promise.all(ended);
      clearTimeout(killed);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Removes the files of a start that was killed. */
function removeAbandoned(folders: string, name: string): void {
  for (const entry of existsSync(folders) ? readdirSync(folders) : []) {
    const [, pid] = new RegExp(`^${name}-(\\d+)$`).exec(entry) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(path.join(folders, entry), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // somebody else's
  }
}

async function writeBuild(root: string, { files }: DevelopmentBundle): Promise<void> {
  for (const [name, text] of files) {
    const file = path.join(root, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

function hasJobs({ files }: DevelopmentBundle): boolean {
  const manifest = JSON.parse(files.get('_appkit/routes.json') ?? '{}') as Manifest;
  return (manifest.jobs?.length ?? 0) > 0;
}

/** The same place as without a host. */
function toJobSettings(projectRoot: string): JobSettings {
  const place = findJobs(projectRoot);
  const inFile = 'file' in place;
  return {
    engine: import.meta.resolve(`appkit-server/jobs/${inFile ? 'sqlite' : 'postgres'}`),
    enqueue: import.meta.resolve('appkit-server/jobs'),
    // The process reads DATABASE_URL itself: everybody on this machine sees its arguments.
    options: inFile ? { file: path.resolve(place.file) } : { app: projectRoot },
  };
}

function toRunning(
  child: ChildProcess,
  {
    port,
    root,
    ended,
    whenPaused,
  }: { port: number; root: string; ended: Promise<void>; whenPaused: Promise<void> | undefined },
): RunningBuild {
  const tell = (order: Order): void => void child.stdin?.write(`${order}\n`);
  const pause = async (): Promise<void> => {
    tell('pause');
    const isLate = await Promise.race([whenPaused, ended, delay(PAUSE_MS, 'late', { ref: false })]);
    if (isLate !== 'late') return;
    printWarning('The running jobs were broken off: code that never ends kept them from being paused.');
    child.kill('SIGKILL');
  };
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    root,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    release: () => (whenPaused ? tell('finish') : void child.kill()),
    jobs: whenPaused && { pause, ended },
  };
}

/** Reads the lines that are for us, and passes on all others. */
function readLines(
  child: ChildProcess,
  { name, code, settings, onLine }: RunnerOptions & { name: string; code: BuiltCode },
): { port: Promise<number>; paused: Promise<void> } {
  const start = `${settings.mark} {"port":`;
  const pausing = `${settings.mark} ${PAUSED}`;
  const lines = child.stdout && createInterface(child.stdout); // it is a pipe
  let hasPaused = (): void => undefined;
  const paused = new Promise<void>((resolve) => (hasPaused = resolve));
  const port = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) =>
      reject(new Error(`${name} ended with ${status ?? signal} before it answered.`)),
    );
    lines?.on('line', (line) => {
      // Code of the app may have begun the line, and not ended it.
      const at = Math.max(0, line.indexOf(`${settings.mark} `));
      if (at > 0) onLine(line.slice(0, at), code);
      const told = line.slice(at);
      if (told.startsWith(start)) resolve(Number.parseInt(told.slice(start.length), 10));
      else if (told === pausing) hasPaused();
      else onLine(told, code);
    });
  });
  return { port, paused };
}
