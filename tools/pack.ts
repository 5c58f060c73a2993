import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from './run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
/** The folders of what we publish. */
export const PACKAGES = [
  'runtime',
  'build',
  'cli/uri-scheme',
  'cli/appkit',
  'auth/crypto',
  'auth/web-browser',
  'auth/session',
  'router',
];

/**
 * Packs what we publish, as `npm publish` would. The packages must have been compiled.
 *
 * @param folder – where the tarballs go.
 * @returns the tarball of each package by name, as absolute paths.
 */
export async function packPackages(folder: string): Promise<Record<string, string>> {
  await mkdir(folder, { recursive: true });
  const workspaces = PACKAGES.map((workspace) => `--workspace=${workspace}`);
  const output = await runCommand([...npmCommand(), 'pack', '--json', '--pack-destination', folder, ...workspaces], {
    cwd: REPOSITORY,
  });
  const packed = JSON.parse(output) as { name: string; filename: string }[]; // the format npm documents for --json
  return Object.fromEntries(packed.map(({ name, filename }) => [name, path.join(folder, filename)]));
}
