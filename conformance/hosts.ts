import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand, serverEnvironment } from './command.ts';
import type { AttackPlan, Emulator } from './emulator.ts';
import type { ExportedApps } from './exported-apps.ts';
import { folderOf } from './host.ts';
import type { AppFolders, AppName, HostDescription, LocalHost } from './host.ts';
import { installLocked } from './install-locked.ts';
import { installNewest } from './install-newest.ts';

/** An emulator and its folder. */
export interface FoundHost {
  emulator: Emulator;
  hostFolder: string;
  /** Whether it runs with the newest versions of its tools instead of those in its lock file. */
  hasNewestTools?: boolean;
}

/** A host that is ready to be started. */
export type PreparedHost = Omit<HostDescription, 'origin' | 'local' | 'seed'> & {
  local: LocalHost;
  attack?: AttackPlan | undefined;
};

/** The folders of hosts: adapters, and our commands. */
const places = ['../adapters', '../cli/appkit'].map((place) => path.join(import.meta.dirname, place));
const toolsCache = path.join(import.meta.dirname, '../.cache/tools');

/** Finds every host: each folder of an adapter or a command that has an `emulator.ts`. */
export async function findHosts(): Promise<FoundHost[]> {
  const found: FoundHost[] = [];
  for (const place of places) {
    for (const name of (await readdir(place)).toSorted()) {
      const hostFolder = path.join(place, name);
      const file = path.join(hostFolder, 'emulator.ts');
      if (!existsSync(file)) continue;
      const { emulators } = (await import(pathToFileURL(file).href)) as { emulators: readonly Emulator[] };
      found.push(...emulators.map((emulator) => ({ emulator, hostFolder })));
    }
  }
  return found;
}

/** Chooses the first host of each adapter. The commands run the node adapter, so they are left out. */
export function onePerAdapter(hosts: readonly FoundHost[]): FoundHost[] {
  return hosts.filter(
    ({ emulator, hostFolder }, index) => emulator.cli === undefined && hostFolder !== hosts[index - 1]?.hostFolder,
  );
}

/** Installs the host's own tools, if it has any, and returns the environment for its commands. */
export async function installTools(host: FoundHost): Promise<Record<string, string>> {
  const { emulator, hostFolder, hasNewestTools = false } = host;
  const env = { ...serverEnvironment, ...emulator.env };
  if (emulator.tools === undefined) return env;
  const from = path.join(hostFolder, emulator.tools);
  const name = path.join(path.basename(path.dirname(from)), path.basename(from));
  const folder = await (hasNewestTools
    ? installNewest(from, path.join(toolsCache, `${name}-newest`))
    : installLocked(from, path.join(toolsCache, name)));
  const bin = path.join(folder, 'node_modules/.bin');
  return { ...env, APPKIT_TOOLS: folder, PATH: [bin, serverEnvironment['PATH']].join(path.delimiter) };
}

/** The same host with the newest versions of its tools, to see which of its gaps they have closed. */
export function withNewestTools({ emulator, hostFolder }: FoundHost): FoundHost {
  const title = `${emulator.title}, but with the newest tools`;
  const tool = { ...emulator.tool, expected: /\d/ };
  return { emulator: { ...emulator, title, tool }, hostFolder, hasNewestTools: true };
}

/** Explains why a host cannot run here, or returns null when its tool is installed. */
export async function missingTool({ tool }: Emulator, env: Record<string, string>): Promise<string | null> {
  const command = tool.command.join(' ');
  try {
    const { stdout, stderr } = await runCommand(tool.command, import.meta.dirname, env);
    const output = stdout + stderr; // tools print their versions to either
    return tool.expected.test(output)
      ? null
      : `${command} printed ${JSON.stringify(output.trim())}, not ${tool.expected}`;
  } catch (error) {
    return (error as Error).message.split('\n').at(-1) ?? `${command} failed`;
  }
}

/** The inputs for preparing a host. */
export interface Preparation {
  apps: InstalledApps;
  folder: string;
  env: Record<string, string>;
  /** The argument of `--from`, if that is what was exported. */
  from?: string | undefined;
}

/**
 * Creates a host's own folder for each app, with what a user would have there: dependencies, `dist/` and the template.
 */
export async function prepareHost(host: FoundHost, { apps, folder, env, from }: Preparation): Promise<PreparedHost> {
  const { emulator } = host;
  const names = Object.keys(apps.folders) as AppName[]; // its keys are names of apps
  const folders = Object.fromEntries(names.map((app) => [app, path.join(folder, app)])) as AppFolders;
  // Some tools leave temporary files behind, above all when they are killed.
  const temporary = path.join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  const own = { ...env, TMPDIR: temporary };
  await (emulator.cli === undefined ? fillWithTemplate : fillWithApp)(host, { apps, folders, env: own, from });
  return {
    name: emulator.name,
    basePath: emulator.basePath ?? '',
    lacks: emulator.lacks ?? [],
    extras: emulator.extras ?? [],
    gaps: emulator.gaps,
    attack: emulator.attack,
    local: {
      folders,
      command: emulator.command,
      commandWithOptions: emulator.commandWithOptions,
      env: { ...own, PORT: '0', HOST: '127.0.0.1' },
      ready: emulator.ready,
      cli: apps.cli,
    },
  };
}

/** The apps for a host, including at least the one that its server is started with. */
export type InstalledApps = Omit<ExportedApps, 'folders'> & { folders: AppFolders };

interface Filling {
  apps: InstalledApps;
  folders: AppFolders;
  env: Record<string, string>;
  from: string | undefined;
}

/** A server as `appkit init` creates it, with its dependencies. */
async function fillWithTemplate(
  { emulator, hostFolder }: FoundHost,
  { apps, folders, env, from }: Filling,
): Promise<void> {
  const init = [...apps.cli, 'init', ...(from === undefined ? [] : ['--from', from]), '--host'] as const;
  await apps.install(folders.app, { serverTarball: apps.serverTarball, dependencies: emulator.dependencies });
  // Hosts such as Vercel run the build first. Here the framework has been built before.
  if (from !== undefined) await runCommand(['npm', 'pkg', 'set', 'scripts.build=node --version'], folders.app);
  for (const [, folder] of entriesOf(folders).filter(([app]) => app !== 'app')) {
    await mkdir(folder);
    await cp(path.join(folders.app, 'package.json'), path.join(folder, 'package.json'));
    await symlink(path.join(folders.app, 'node_modules'), path.join(folder, 'node_modules'));
  }
  for (const [app, folder] of entriesOf(folders)) {
    const dist = emulator.strictFetch ? 'dist-strict' : 'dist';
    await cp(path.join(folderOf(apps.folders, app), dist), path.join(folder, 'dist'), { recursive: true });
    await runCommand([...init, emulator.template ?? emulator.name], folder);
    for (const files of emulator.files) await cp(path.join(hostFolder, files), folder, { recursive: true });
    for (const command of emulator.prepare ?? []) await runCommand(command, folder, env);
  }
}

/** The app itself, for one of our commands: its sources, or its export. */
async function fillWithApp({ emulator, hostFolder }: FoundHost, { apps, folders }: Filling): Promise<void> {
  const fixture = 'generic/fixture';
  await cp(path.join(apps.folders.app, '..', fixture), path.join(folders.app, '..', fixture), { recursive: true });
  for (const [app, folder] of entriesOf(folders)) {
    const from = folderOf(apps.folders, app);
    await mkdir(folder);
    await symlink(path.join(from, '../node_modules'), path.join(folder, 'node_modules'));
    const sources = (await readdir(from)).filter((name) => !/^dist$|^dist-|^\.appkit$/.test(name));
    for (const name of emulator.cli === 'export' ? ['dist'] : sources) {
      await cp(path.join(from, name), path.join(folder, name), { recursive: true });
    }
    for (const files of emulator.files) await cp(path.join(hostFolder, files), folder, { recursive: true });
  }
}

function entriesOf(folders: AppFolders): [AppName, string][] {
  return Object.entries(folders) as [AppName, string][];
}
