import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sendFile } from './send-file.ts';
import type { StaticFiles } from './static-files.ts';

/**
 * Answers what no file is there for as a host of static files does: with `index.html` when one file serves every path, else with
 * `404.html` when the site has one. Only a client that takes HTML is given it.
 */
export function createFallback(root: string, { isSinglePage }: { isSinglePage: boolean | undefined }): StaticFiles {
  const name = isSinglePage ? 'index.html' : '404.html';
  if (!existsSync(path.join(root, name))) return async () => false;
  return async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !request.headers.accept?.includes('text/html')) return false;
    if (isSinglePage) {
      sendFile(request, response, { root, file: [name] });
      return true;
    }
    const html = await readFile(path.join(root, name));
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
    response.end(request.method === 'HEAD' ? undefined : html);
    return true;
  };
}
