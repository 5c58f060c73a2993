import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './command.ts';

/**
 * Writes a package manifest with these dependencies and installs them, using only npm's cache if it has all of them.
 */
export async function installPackages(folder: string, dependencies: Record<string, string>): Promise<void> {
  const manifest = { name: 'app', version: '1.0.0', private: true, dependencies };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  const install = ['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock'] as const;
  await runCommand([...install, '--offline'], folder).catch(() => runCommand([...install, '--prefer-offline'], folder));
}
