import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { writeFileIn } from './write-file.ts';

const FILE = '_headers';

/** Named by their content: these files never change. */
const RULE = `/_appkit/assets/*
  Cache-Control: public, max-age=31536000, immutable
`;

/**
 * Lets Netlify and Cloudflare, which serve the folder themselves, keep files for a year whose names change with their content. They
 * read `_headers` and serve it to nobody. The rules of the app's own `public/_headers` come first.
 */
export function writePlatformHeaders(client: string): void {
  if (!existsSync(path.join(client, '_appkit/assets'))) return;
  const own = path.join(client, FILE);
  const rules = existsSync(own) ? readFileSync(own, 'utf8').trimEnd() : '';
  writeFileIn(client, FILE, rules === '' ? RULE : `${rules}\n\n${RULE}`);
}
