import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { admitsHtml, namesHtml } from 'appkit-server/match';

/** Answers a request, or calls `next`. */
export type FileListener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Answers what no file is there for as a host of static files does: with `index.html` when one file serves every path, else with
 * `404.html` when the site has one. A client must accept HTML to be given it, and name it for `index.html`: that would otherwise
 * answer for a missing script too.
 */
export function createFallback(
  root: string,
  {
    files,
    base = '',
    isSinglePage,
  }: { files: FileListener; base?: string | undefined; isSinglePage: boolean | undefined },
): FileListener {
  const file = path.join(root, base, isSinglePage ? 'index.html' : '404.html');
  if (!existsSync(file)) return (_request, _response, next) => next();
  return (request, response, next) => {
    const { accept } = request.headers;
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    if (!isBelow(base, request.url ?? '')) return next();
    if (isSinglePage) {
      if (!namesHtml(accept)) return next();
      return files(Object.assign(request, { url: `${base}/` }), response, next);
    }
    // For the text too, which is sent by the caller.
    response.setHeader('vary', 'Accept');
    if (!admitsHtml(accept)) return next();
    void readFile(file).then(
      (html) => {
        response.writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length });
        response.end(request.method === 'HEAD' ? undefined : html);
      },
      () => next(),
    );
  };
}

/** Whether a target is one of the app. Another app may have the rest of the host. */
function isBelow(base: string, target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  return path === base || path.startsWith(`${base}/`);
}
