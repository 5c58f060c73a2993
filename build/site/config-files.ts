import { readdirSync } from 'node:fs';

const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;

/** Whether the app has a configuration of Vite. */
export function hasViteConfig(projectRoot: string): boolean {
  return findViteConfig(projectRoot) !== undefined;
}

/** The name of the app's configuration of Vite. */
export function findViteConfig(projectRoot: string): string | undefined {
  return readNames(projectRoot).find((name) => VITE_CONFIG.test(name));
}

/** Whether a folder has a file with such a name. */
export function hasFile(folder: string, name: RegExp): boolean {
  return readNames(folder).some((other) => name.test(other));
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder above the project may be unreadable.
    return [];
  }
}
