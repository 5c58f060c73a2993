import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { toClientFolder } from './client-folder.ts';
import { writeFileIn } from './write-file.ts';

const FILE = '_headers';

/** Named by their content: these files never change. */
const toRule = (base: string): string => `${base}/_appkit/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/**
 * Lets Netlify and Cloudflare, which serve the folder themselves, keep files for a year whose names change with their content. They
 * read `_headers` and serve it to nobody. The rules of the app's own `public/_headers` come first.
 */
export function writePlatformHeaders(client: string, base = ''): void {
  if (!existsSync(path.join(toClientFolder(client, base), '_appkit/assets'))) return;
  const rule = toRule(base);
  const own = path.join(client, FILE);
  const rules = existsSync(own) ? readFileSync(own, 'utf8').trimEnd() : '';
  writeFileIn(client, FILE, rules === '' ? rule : `${rules}\n\n${rule}`);
}
