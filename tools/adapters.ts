import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const REPOSITORY = path.resolve(import.meta.dirname, '..');

/** How large an adapter may be, with the runtime below it: minified and gzipped, in bytes. */
export interface SizeGoals {
  /** The limit that a test enforces. Raising it is a decision: the commit says what it buys. */
  limit: number;
  /** The desired size. `npm run bench -- --only size` shows the difference. */
  goal: number;
}

/** Lists the hosts: the folders of `adapters/` that contain an adapter. */
export function listHosts(root: string = REPOSITORY): string[] {
  return globSync('adapters/[!_]*/index.ts', { cwd: root })
    .map((file) => path.basename(path.dirname(file)))
    .toSorted();
}

/**
 * Reads `adapters/<host>/size.json`.
 *
 * @throws Error when the host has none.
 */
export function readSizeGoals(host: string, root: string = REPOSITORY): SizeGoals {
  const file = path.join(root, 'adapters', host, 'size.json');
  if (!existsSync(file)) {
    throw new Error(`adapters/${host}/size.json is missing. Write { "limit": …, "goal": 6144 }: bytes of the adapter.`);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as SizeGoals; // our own file, and a test compares its numbers
}
