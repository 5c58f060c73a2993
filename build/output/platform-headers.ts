import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { writeFileIn } from './write-file.ts';

const FILE = '_headers';

/** The files of a folder are named after their content: they never change. */
const toRule = (folder: string): string => `/${folder}/*
  Cache-Control: public, max-age=31536000, immutable
`;

/**
 * Lets Netlify and Cloudflare, which serve the folder themselves, cache files for a year whose names change with their
 * content. They read `_headers` and do not publish it. The rules of the app's own `public/_headers` come first.
 *
 * @param immutable – the folders of such files, relative to `client`. A missing folder is left out.
 */
export function writePlatformHeaders(client: string, immutable: readonly string[]): void {
  const folders = immutable.filter((folder) => existsSync(path.join(client, folder)));
  if (folders.length === 0) return;
  const rule = folders.map(toRule).join('\n');
  const own = path.join(client, FILE);
  const rules = existsSync(own) ? readFileSync(own, 'utf8').trimEnd() : '';
  writeFileIn(client, FILE, rules === '' ? rule : `${rules}\n\n${rule}`);
}
