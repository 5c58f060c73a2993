import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from './run-command.ts';

/** What to make a project from. */
export interface ProjectOptions {
  /** The folder of an example. */
  from: string;
  /** The folder to make. One that is there is replaced. */
  into: string;
  /** Tarballs by package name, as `packPackages` gives them. */
  tarballs: Record<string, string>;
  /** Leaves out what only the development of the example needs. Default: true. */
  omitDev?: boolean;
}

/** Copies an example and installs it with our packages from their tarballs, as a user would have it from the registry. */
export async function createProject({ from, into, tarballs, omitDev = true }: ProjectOptions): Promise<void> {
  await rm(into, { recursive: true, force: true });
  const leftBehind = new Set(['node_modules', 'dist', 'package-lock.json'].map((name) => path.join(from, name)));
  await cp(from, into, { recursive: true, filter: (file) => !leftBehind.has(file) });

  const manifestFile = path.join(into, 'package.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as { dependencies?: Record<string, string> }; // npm would refuse others
  // All of them, also those the example does not name: they depend on one another, and the registry has them not yet.
  const ours = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]));
  manifest.dependencies = { ...manifest.dependencies, ...ours };
  await writeFile(manifestFile, `${JSON.stringify(manifest, undefined, 2)}\n`);

  const flags = [...(omitDev ? ['--omit=dev'] : []), '--prefer-offline', '--no-audit', '--no-fund'];
  await runCommand([...npmCommand(), 'install', ...flags], { cwd: into });
}
