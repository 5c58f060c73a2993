import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'reproductions');

/**
 * The name of the script for each behaviour that has one: the script's first line names the behaviour, after `/** `.
 */
export async function findReproductions(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const file of await readdir(folder)) {
    const text = await readFile(path.join(folder, file), 'utf8');
    const behaviour = /^\/\*\* The server (.+?)(?: \(|: | \*\/)/.exec(text)?.[1];
    if (behaviour === undefined) throw new Error(`${file} does not begin with "/** The server …", its behaviour.`);
    found.set(behaviour, path.basename(file, '.mjs'));
  }
  return found;
}
