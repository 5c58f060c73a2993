import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { chooseEncoding, type Encoding, PRECOMPRESSED } from './accept-encoding.ts';
import { findFile } from './find-file.ts';
import { sendFile } from './send-file.ts';
import { parseStaticPath } from './static-path.ts';

/** Answers a request with a static file. Resolves `false`, having done nothing, when there is none for it. */
export type StaticFiles = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** Serves the files of a folder to `GET` and `HEAD`, compressed ones where they stand beside the original. */
export function createStaticFiles(root: string): StaticFiles {
  return async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false;
    const staticPath = parseStaticPath(request.url ?? '');
    const found = staticPath && (await findFile(root, staticPath));
    if (!found) return false;

    if ('redirect' in found) {
      // A browser keeps a 301 for good unless it is told not to, and the folder may be a route tomorrow.
      response
        .writeHead(301, { location: found.redirect, 'cache-control': 'public, max-age=0', 'content-length': 0 })
        .end();
      return true;
    }

    const available = await precompressed(path.join(root, ...found.file));
    if (available.length > 0) response.appendHeader('vary', 'Accept-Encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding'], available);
    sendFile(request, response, { root, file: found.file, ...(encoding && { encoding }) });
    return true;
  };
}

async function precompressed(file: string): Promise<Encoding[]> {
  const encodings: Encoding[] = ['br', 'gzip'];
  const exists = await Promise.all(
    encodings.map(async (encoding) => {
      const stats = await stat(file + PRECOMPRESSED[encoding]).catch(() => undefined);
      return stats?.isFile() ?? false;
    }),
  );
  return encodings.filter((_, index) => exists[index]);
}
