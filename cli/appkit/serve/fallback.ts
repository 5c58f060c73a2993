import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { admitsHtml, namesHtml } from 'appkit-server/match';

/** Answers a request, or calls `next`. */
export type FileListener = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Answers requests without a matching file as a static host does: with `index.html` when one file serves every path,
 * otherwise with the site's `404.html` if it has one. The client must accept HTML, and for `index.html` name it
 * explicitly: otherwise it would replace a missing script too.
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
    // Also for the plain text that the caller sends.
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

/** Whether a target belongs to the app. Other apps may use the rest of the host. */
function isBelow(base: string, target: string): boolean {
  const [path = ''] = target.split(/[?#]/, 1);
  return path === base || path.startsWith(`${base}/`);
}
