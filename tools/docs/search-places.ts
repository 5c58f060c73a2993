import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The places that the search of the exported docs knows: the `href` of each entry in the data of its page. */
export async function readSearchPlaces(client: string): Promise<string[]> {
  const text = await readFile(path.join(client, '_appkit/data/search.json'), 'utf8');
  // A list of values, in which an object has the places of its own: docs/decisions/010-pages.md.
  const values = JSON.parse(text.split('\n')[0] ?? '') as unknown[];
  return values.flatMap((value) => {
    const { href } = Object(value) as { href?: number };
    return href === undefined ? [] : [String(values[href])];
  });
}
