import { cpSync, existsSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { linkModules } from './link-modules.ts';
import { npmCommand, runCommand } from './run-command.ts';

/** The source of a project. */
export interface ProjectOptions {
  /** The folder of an example. */
  from: string;
  /** The folder to create. An existing folder is replaced. */
  into: string;
  /** Tarballs by package name, as returned by `packPackages`. */
  tarballs: Record<string, string>;
  /** Whether to leave out what only the example's development needs. Default: true. */
  omitDev?: boolean;
}

/**
 * Copies an example and installs it with our packages from their tarballs, as a user would install them from the
 * registry.
 */
export async function createProject({ from, into, tarballs, omitDev = true }: ProjectOptions): Promise<void> {
  await copyExample(from, into);
  const manifestFile = path.join(into, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { dependencies?: Record<string, string> }; // npm would refuse others
  // All of them, even those that the example does not name: they depend on each other, and are not in the registry yet.
  const ours = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]));
  manifest.dependencies = { ...manifest.dependencies, ...ours };
  await writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);

  const flags = [...(omitDev ? ['--omit=dev'] : []), '--prefer-offline', '--no-audit', '--no-fund'];
  await runCommand([...npmCommand(), 'install', ...flags], { cwd: into });
}

/** Copies an example and its dependencies, installed elsewhere, which takes a tenth of the time of an installation. */
export async function copyInstalled({
  from,
  into,
  installed,
}: {
  from: string;
  into: string;
  installed: string;
}): Promise<void> {
  await copyExample(from, into);
  for (const name of ['package.json', 'package-lock.json']) await cp(path.join(installed, name), path.join(into, name));
  linkModules(path.join(installed, 'node_modules'), path.join(into, 'node_modules'));
}

/** Copies a project with its installed packages: links stay relative. */
export function copyProject(from: string, into: string): void {
  const modules = path.join(from, 'node_modules');
  cpSync(from, into, { recursive: true, verbatimSymlinks: true, filter: (file) => file !== modules });
  if (existsSync(modules)) linkModules(modules, path.join(into, 'node_modules'));
}

async function copyExample(from: string, into: string): Promise<void> {
  await rm(into, { recursive: true, force: true });
  const leftBehind = new Set(['node_modules', 'dist', 'package-lock.json'].map((name) => path.join(from, name)));
  await cp(from, into, { recursive: true, filter: (file) => !leftBehind.has(file) });
}
