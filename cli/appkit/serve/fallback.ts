import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { admitsHtml } from 'appkit-server/match';
import { sendFile } from './send-file.ts';
import type { StaticFiles } from './static-files.ts';

/**
 * Answers what no file is there for as a host of static files does: with `index.html` when one file serves every path, else with
 * `404.html` when the site has one. A client must accept HTML to be given it, and name it for `index.html`: that would otherwise
 * answer for a missing script too.
 */
export function createFallback(root: string, { isSinglePage }: { isSinglePage: boolean | undefined }): StaticFiles {
  const name = isSinglePage ? 'index.html' : '404.html';
  if (!existsSync(path.join(root, name))) return async () => false;
  return async (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return false;
    const { accept } = request.headers;
    if (isSinglePage) {
      if (!accept?.includes('text/html')) return false;
      sendFile(request, response, { root, file: [name] });
      return true;
    }
    // For the text too, which is sent by the caller.
    response.setHeader('vary', 'Accept');
    if (!admitsHtml(accept)) return false;
    const html = await readFile(path.join(root, name));
    response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
    response.end(request.method === 'HEAD' ? undefined : html);
    return true;
  };
}
