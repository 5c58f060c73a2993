import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from './run-command.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '..');
/** The folders of the packages that we publish. */
export const PACKAGES = [
  'runtime',
  'build',
  'cli/uri-scheme',
  'cli/appkit',
  'cli/create-appkit',
  'conformance/generic',
  'auth/crypto',
  'auth/web-browser',
  'auth/session',
  'router',
];

/**
 * Packs the published packages, as `npm publish` would. The packages must have been compiled.
 *
 * `APPKIT_TARBALLS` is a folder where that was done before: `npm test` packs once for all its parts.
 *
 * @param folder – where the tarballs go.
 * @returns the tarball of each package by name, as absolute paths.
 */
export async function packPackages(folder: string): Promise<Record<string, string>> {
  const packed = process.env['APPKIT_TARBALLS'];
  if (packed) return findTarballs(packed);
  await mkdir(folder, { recursive: true });
  const workspaces = PACKAGES.map((workspace) => `--workspace=${workspace}`);
  await runCommand([...npmCommand(), 'pack', '--pack-destination', folder, ...workspaces], { cwd: REPOSITORY });
  return findTarballs(folder);
}

/** The tarballs in a folder, by the names that `npm pack` gives them. */
async function findTarballs(folder: string): Promise<Record<string, string>> {
  const tarballs = PACKAGES.map(async (workspace) => {
    const manifest = await readFile(path.join(REPOSITORY, workspace, 'package.json'), 'utf8');
    const { name, version } = JSON.parse(manifest) as { name: string; version: string }; // npm would refuse others
    return [name, path.resolve(folder, `${name}-${version}.tgz`)] as const;
  });
  return Object.fromEntries(await Promise.all(tarballs));
}
