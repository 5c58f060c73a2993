import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A package manager whose commands `init` prints. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCKS: readonly [file: string, manager: PackageManager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** What the others write in place of npm. The first that fits counts: `npm install` before a name adds a package. */
const COMMANDS: Record<Exclude<PackageManager, 'npm'>, readonly [npm: RegExp, own: string][]> = {
  pnpm: [
    [/\bnpm install (?=\S)/g, 'pnpm add '],
    [/\bnpm (?=install\b|start\b|run )/g, 'pnpm '],
    [/\bnpx /g, 'pnpm exec '],
  ],
  yarn: [
    [/\bnpm install --save-dev /g, 'yarn add --dev '],
    [/\bnpm install (?=\S)/g, 'yarn add '],
    [/\bnpm (?=install\b|start\b|run )/g, 'yarn '],
    [/\bnpx /g, 'yarn '],
    // With Plug'n'Play, Node itself finds no package.
    [/^node /g, 'yarn node '],
  ],
  bun: [
    [/\bnpm install --save-dev /g, 'bun add --dev '],
    [/\bnpm install (?=\S)/g, 'bun add '],
    [/\bnpm start\b/g, 'bun run start'],
    [/\bnpm (?=install\b|run )/g, 'bun '],
    [/\bnpx /g, 'bunx '],
  ],
};

/**
 * Finds the package manager of an app: by its `package.json` or lock file, or those of the workspace that it is in, otherwise the one that runs
 * this command. Default: npm.
 *
 * @param root – the folder of the app, which need not exist.
 */
export function findPackageManager(root: string, env: NodeJS.ProcessEnv = process.env): PackageManager {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const found = folder === root || isWorkspace(folder) ? managerOf(folder) : undefined;
    if (found) return found;
    if (folder === path.dirname(folder)) return toManager(env['npm_config_user_agent'], '/') ?? 'npm';
  }
}

/** Converts a command for npm to one for another package manager. A command of another program stays. */
export function toCommandOf(manager: PackageManager, command: string): string {
  if (manager === 'npm') return command;
  return COMMANDS[manager].reduce((text, [npm, own]) => text.replaceAll(npm, own), command);
}

function managerOf(folder: string): PackageManager | undefined {
  const { packageManager } = readManifest(folder);
  const named = toManager(packageManager, '@');
  return named ?? LOCKS.find(([file]) => existsSync(path.join(folder, file)))?.[1];
}

function isWorkspace(folder: string): boolean {
  return existsSync(path.join(folder, 'pnpm-workspace.yaml')) || readManifest(folder).workspaces !== undefined;
}

/** The name in front of a version, such as `pnpm@12.4.2`, if it is that of a package manager we know. */
function toManager(value: unknown, end: string): PackageManager | undefined {
  const name = typeof value === 'string' ? value.split(end)[0] : undefined;
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((known) => known === name);
}

/** What is read of a `package.json`, which may contain anything. */
function readManifest(folder: string): { packageManager?: unknown; workspaces?: unknown } {
  try {
    return Object(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))) as object;
  } catch {
    // None, or one that the command itself refuses if it matters.
    return {};
  }
}
