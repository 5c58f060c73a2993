import path from 'node:path';

import type { ManifestPage } from 'appkit-server/manifest';

import { writeFileIn } from '../output/write-file.ts';

/**
 * Writes the not-found response of an app without a top-level `+not-found`: the document for a browser, which names
 * `text/html`, and text for other clients, such as `fetch`, `curl` and an image.
 */
export function writeDefaultNotFound(html: string, { folder }: { folder: string }): ManifestPage {
  const file = '_appkit/pages/+not-found.js';
  const code = `'use strict';

const html = ${JSON.stringify(html)};
exports.GET = ({ headers }) => {
  const [body, type] = /\\btext\\/html\\b/i.test(headers.get('accept')) ? [html, 'text/html; charset=utf-8'] : ['Not found', 'text/plain'];
  return new Response(body, { status: 404, headers: { 'content-type': type } });
};
`;
  writeFileIn(path.join(folder, 'server'), file, code);
  return { pattern: '/', file };
}
