import { cp, mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './command.ts';
import { APP_NAMES, folderOf } from './host.ts';
import type { AppFolders, AppName } from './host.ts';
import { createHostInstaller } from './host-installer.ts';
import type { InstallHost } from './host-installer.ts';
import { installPackages } from './install-packages.ts';
import { writePlainApp } from './plain-app.ts';
import { withStrictFetch } from './strict-fetch.ts';

/** The exported apps, and the packages that a host installs. */
export interface ExportedApps {
  /** The folder of each app, with its `dist/`, and, if requested, `dist-strict/`. */
  folders: AppFolders;
  /** Command and arguments of the installed command line. */
  cli: readonly [string, ...string[]];
  /** The packed appkit-server. */
  serverTarball: string;
  /** Installs it for a host. */
  install: InstallHost;
}

/** What to export. */
export interface ExportChoice {
  /** Default: all of `APP_NAMES`. The folder of `app` is there in any case: it has what the others need. */
  apps?: readonly AppName[];
  /** The module of `app-fetch` that is exported. Default: `server.ts`. */
  fetch?: string | undefined;
  /** Whether any host needs `dist-strict/` as well, exported with the option strictFetch. */
  strict: boolean;
}

const repository = path.join(import.meta.dirname, '..');

/**
 * Packs the packages, installs them outside the repository as a user would, and exports the apps with the real command.
 *
 * @param folder – an empty folder outside the repository.
 */
export async function exportApps(
  folder: string,
  { apps = APP_NAMES, fetch = 'server.ts', strict }: ExportChoice,
): Promise<ExportedApps> {
  const tarballs = await packPackages(path.join(folder, 'tarballs'));
  const workspace = path.join(folder, 'apps');
  await mkdir(workspace);
  // The apps use routes of the fixture as their own.
  for (const part of [...APP_NAMES, 'packages', 'generic/fixture']) {
    await cp(path.join(import.meta.dirname, part), path.join(workspace, part), { recursive: true });
  }
  await installPackages(workspace, {
    ...tarballs,
    'appkit-server-copy': tarballs['appkit-server'],
    // The packages for pages and contracts, in the versions that the repository itself has.
    ...(await ownDependencies()),
    // The packages for cookies and sessions.
    ...(await readDevDependencies('runtime/package.json')),
    'conformance-esm-words': 'file:packages/esm-words',
    'conformance-cjs-words': 'file:packages/cjs-words',
  });
  if (apps.includes('app-plain')) await writePlainApp(path.join(workspace, 'app-plain'));
  const names = new Set<AppName>(['app', ...apps]);
  const folders = Object.fromEntries([...names].map((name) => [name, path.join(workspace, name)])) as AppFolders;
  const cli = ['node', path.join(workspace, 'node_modules/appkit-cli/bin/appkit.js')] as const;
  for (const name of apps) {
    const project = folderOf(folders, name);
    const command = [...cli, 'export', ...(name === 'app-fetch' ? ['--from', fetch] : ['-p', 'web'])] as const;
    await runCommand(command, project);
    if (!strict) continue;
    await withStrictFetch(path.join(project, 'app.json'), () =>
      runCommand([...command, '--output-dir', 'dist-strict'], project),
    );
  }
  const install = createHostInstaller(path.join(folder, 'installed'));
  return { folders, cli, serverTarball: tarballs['appkit-server'], install };
}

async function ownDependencies(): Promise<Record<string, string>> {
  const { react = '', 'react-dom': reactDom = '' } = await readDevDependencies('router/package.json');
  const { vite = '', zod = '' } = await readDevDependencies('package.json');
  return { react, 'react-dom': reactDom, vite, zod };
}

async function readDevDependencies(file: string): Promise<Record<string, string>> {
  const text = await readFile(path.join(repository, file), 'utf8');
  return (JSON.parse(text) as { devDependencies: Record<string, string> }).devDependencies;
}

type PackageName = 'appkit-cli' | 'appkit-build' | 'appkit-router' | 'appkit-server' | 'appkit-uri-scheme';

async function packPackages(fresh: string): Promise<Record<PackageName, string>> {
  // `npm test` packs once for all its parts.
  const { APPKIT_TARBALLS: folder = fresh } = process.env;
  const names: PackageName[] = ['appkit-cli', 'appkit-build', 'appkit-router', 'appkit-server', 'appkit-uri-scheme'];
  if (folder === fresh) {
    await mkdir(folder);
    const workspaces = names.map((name) => `--workspace=${name}`);
    await runCommand(['npm', 'pack', '--pack-destination', folder, ...workspaces], repository);
  }
  const files = await readdir(folder);
  const find = (name: PackageName): string => {
    const file = files.find((candidate) => new RegExp(`^${name}-\\d`).test(candidate));
    if (file === undefined) throw new Error(`npm pack made no tarball of ${name}, only ${files.join(', ')}.`);
    return `file:${path.join(folder, file)}`;
  };
  return {
    'appkit-cli': find('appkit-cli'),
    'appkit-build': find('appkit-build'),
    'appkit-router': find('appkit-router'),
    'appkit-server': find('appkit-server'),
    'appkit-uri-scheme': find('appkit-uri-scheme'),
  };
}
