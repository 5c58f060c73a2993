import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DevelopmentBundle } from 'appkit-build/development';
import { CommandError } from '../../command-error.ts';
import { findTool } from '../../deploy/find-tool.ts';
import type { HostRunner, RunnerOptions, RunningBuild } from './host-runner.ts';
import type { ProcessSettings } from './process-script.ts';

/** The differences between Bun and Deno. */
interface Runtime {
  name: 'bun' | 'deno';
  /** The version to install. */
  version: string;
  configFiles: readonly string[];
  /** The arguments before those of the script. */
  args(options: { projectRoot: string; script: string }): string[];
}

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
  let count = 0;

  return {
    name,
    configFiles,
    forgetConfig: () => undefined,
    async run(bundle) {
      // A build that still answers may load a file for the first time.
      const root = path.join(folder, String(count++));
      await writeBuild(root, bundle);
      const settings: ProcessSettings = { ...options.settings, build: root, adapter };
      const child = spawn(tool.file, [...tool.args, ...args({ projectRoot, script }), JSON.stringify(settings)], {
        cwd: projectRoot,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      });
      running.add(child);
      child.once('exit', () => {
        running.delete(child);
        rmSync(root, { recursive: true, force: true });
      });
      const port = await whenReady(child, { name, ...options });
      return toRunning(child, { port, root });
    },
    async close() {
      const ended = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ended);
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

function toRunning(child: ChildProcess, { port, root }: { port: number; root: string }): RunningBuild {
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    root,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    release: () => void child.kill(),
  };
}

/** Waits for the line that names the port, and passes on all other lines. */
function whenReady(child: ChildProcess, { name, settings, onLine }: RunnerOptions & { name: string }): Promise<number> {
  const start = `${settings.mark} {"port":`;
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => reject(new Error(`${name} ended with ${code ?? signal} before it answered.`)));
    if (!child.stdout) return; // it is a pipe
    createInterface(child.stdout).on('line', (line) => {
      if (line.startsWith(start)) resolve(Number.parseInt(line.slice(start.length), 10));
      else onLine(line);
    });
  });
}
