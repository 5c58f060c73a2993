import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Reads from the data of the search page where its results lead. */
export async function readSearchPlaces(client: string): Promise<string[]> {
  const text = await readFile(path.join(client, '_appkit/data/search.json'), 'utf8');
  return [...text.matchAll(/"href":"([^"]+)"/g)].map(([, href = '']) => href);
}
