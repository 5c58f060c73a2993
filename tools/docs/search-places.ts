import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The places that the exported docs' search knows: the `href` of each entry in the page's data. */
export async function readSearchPlaces(client: string): Promise<string[]> {
  const text = await readFile(path.join(client, '_appkit/data/search.json'), 'utf8');
  // A list of values, in which an object contains the indexes of its own values: docs/decisions/010-pages.md.
  const values = JSON.parse(text.split('\n')[0] ?? '') as unknown[];
  return values.flatMap((value) => {
    const { href } = Object(value) as { href?: number };
    return href === undefined ? [] : [String(values[href])];
  });
}
