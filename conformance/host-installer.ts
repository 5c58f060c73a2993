import { cpSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackages } from './install-packages.ts';

/** Installs a packed appkit-server and other packages into a folder. */
export type InstallHost = (
  into: string,
  packages: { serverTarball: string; dependencies: Record<string, string> },
) => Promise<void>;

/**
 * Installs packages for hosts: once for all hosts that need the same packages, since npm takes twenty times as long as
 * copying its result.
 *
 * @param folder – where the installations are, outside the repository.
 */
export function createHostInstaller(folder: string): InstallHost {
  const installed = new Map<string, Promise<string>>();
  const install: InstallHost = async (into, { serverTarball, dependencies }) => {
    await mkdir(into, { recursive: true });
    // Next to the packages that depend on it, so that the folder can be copied and installed elsewhere.
    await cp(fileURLToPath(serverTarball), path.join(into, 'appkit-server.tgz'));
    await installPackages(into, { 'appkit-server': 'file:appkit-server.tgz', ...dependencies });
  };
  return async (into, packages) => {
    const key = JSON.stringify(packages);
    const original = path.join(folder, `installed-${installed.size}`);
    const done = installed.get(key) ?? install(original, packages).then(() => original);
    installed.set(key, done);
    // The asynchronous function takes ten times as long for a node_modules.
    cpSync(await done, into, { recursive: true, verbatimSymlinks: true });
  };
}
