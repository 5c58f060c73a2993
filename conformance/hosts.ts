import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand, serverEnvironment } from './command.ts';
import type { Emulator } from './emulator.ts';
import { installPackages, type ExportedApps } from './exported-apps.ts';
import type { AppName, HostDescription } from './host.ts';

/** An emulator and the folder of the adapter it belongs to. */
export interface FoundHost {
  emulator: Emulator;
  adapterFolder: string;
}

/** A host that is ready to be started. */
export type PreparedHost = Omit<HostDescription, 'origin'>;

const adapters = join(import.meta.dirname, '../adapters');

/** Finds every host: each folder of `adapters/` that has an `emulator.ts`. */
export async function findHosts(): Promise<FoundHost[]> {
  const found: FoundHost[] = [];
  for (const name of (await readdir(adapters)).toSorted()) {
    const adapterFolder = join(adapters, name);
    const file = join(adapterFolder, 'emulator.ts');
    if (!existsSync(file)) continue;
    const { emulators } = (await import(pathToFileURL(file).href)) as { emulators: readonly Emulator[] };
    found.push(...emulators.map((emulator) => ({ emulator, adapterFolder })));
  }
  return found;
}

/** Says why a host cannot be run here, or null when its tool is there. */
export async function missingTool({ tool }: Emulator): Promise<string | null> {
  const command = tool.command.join(' ');
  try {
    const output = await runCommand(tool.command, import.meta.dirname);
    return tool.expected.test(output)
      ? null
      : `${command} printed ${JSON.stringify(output.trim())}, not ${tool.expected}`;
  } catch (error) {
    return (error as Error).message.split('\n').at(-1) ?? `${command} failed`;
  }
}

/** Gives a host its own folder per app, with what a user would have there: dependencies, `dist/` and the template. */
export async function prepareHost(host: FoundHost, apps: ExportedApps, folder: string): Promise<PreparedHost> {
  const { emulator, adapterFolder } = host;
  const folders = { app: join(folder, 'app'), 'app-catch-all': join(folder, 'app-catch-all') };
  await mkdir(folders.app, { recursive: true });
  await installPackages(folders.app, { 'appkit-server': apps.serverTarball, ...emulator.dependencies });
  await mkdir(folders['app-catch-all']);
  await symlink(join(folders.app, 'node_modules'), join(folders['app-catch-all'], 'node_modules'));
  for (const app of Object.keys(folders) as AppName[]) {
    await cp(join(apps.folders[app], 'dist'), join(folders[app], 'dist'), { recursive: true });
    for (const files of emulator.files) await cp(join(adapterFolder, files), folders[app], { recursive: true });
  }
  return {
    name: emulator.name,
    basePath: emulator.basePath ?? '',
    folders,
    command: emulator.command,
    commandWithOptions: emulator.commandWithOptions,
    env: { ...serverEnvironment, PORT: '0', HOST: '127.0.0.1', ...emulator.env },
    ready: emulator.ready,
    cli: apps.cli,
    gaps: emulator.gaps,
  };
}
