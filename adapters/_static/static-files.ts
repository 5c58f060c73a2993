import { isRead, redirect, refuse } from './decide.ts';
import type { Question } from './decide.ts';
import { toResponse } from './fetch-answer.ts';
import { listFolder, watchFolder } from './file-index.ts';
import type { FileIndex } from './file-index.ts';
import { findFile, toLocation } from './find.ts';
import type { Found } from './find.ts';
import { failOnNode, sendToNode } from './node-answer.ts';
import type { StaticRequest, StaticResponse } from './node-answer.ts';
import { openFile } from './open-file.ts';
import type { Opened } from './open-file.ts';

/** Options of {@link createStaticFiles}. */
export interface StaticOptions {
  /**
   * Whether to look at the disk for each request, for a folder whose files change while they are served. Default:
   * `false`: the folder is listed once.
   */
  live?: boolean;
  /** Called with disk errors. The client gets 500, or the connection breaks off. Default: `console.error`. */
  onError?: (error: unknown) => void;
}

/** Answers requests with the files of a folder: as middleware for Node and Express, or by `fetch`. */
export interface StaticFiles {
  /** Answers a request of `node:http` or Express, and calls `next` when no file matches. */
  (request: StaticRequest, response: StaticResponse, next: () => void): void;
  /** Answers a web Request, as on Bun and Deno. Returns `undefined` if no file matches. */
  fetch(request: Request): Promise<Response> | undefined;
}

/**
 * Serves the files of an exported app, the same on every host: with `ETag` and revalidation, ranges, `HEAD` and 405,
 * and a year of caching for files of `/_appkit/assets/`. `about.html` answers `/about`, and `docs/index.html` answers
 * `/docs/`. Hidden files, except those in `.well-known`, and links that lead out of the folder are not served.
 *
 * ```js
 * const files = createStaticFiles('dist/client');
 * createServer((request, response) => files(request, response, () => handler(request, response)));
 * Bun.serve({ fetch: (request, server) => files.fetch(request) ?? handler(request, server) });
 * ```
 *
 * @param folder – `dist/client` of an export. If the folder does not exist, no request matches a file.
 */
export function createStaticFiles(folder: string, options: StaticOptions = {}): StaticFiles {
  const { live = false, onError = console.error } = options;
  const index: FileIndex = live ? watchFolder(folder) : listFolder(folder);
  // Other methods are refused at the name of a file. At `/about`, they are left to a route, which may share the path
  // with a page.
  const find = (target: string, method: string): Found | undefined => {
    const found = findFile(index, target);
    return found && (found.isNamed || isRead(method)) ? found : undefined;
  };

  const answer = (
    { method = 'GET', url = '', originalUrl, headers }: StaticRequest,
    response: StaticResponse,
    next: () => void,
  ): void => {
    const fail = (error: unknown): void => {
      onError(error);
      failOnNode(response);
    };
    const header = (name: string): string | undefined => headers[name]?.toString();
    let found;
    try {
      found = find(url, method);
      const opening = found && open({ method, header }, { found, target: originalUrl ?? url });
      if (opening) sendToNode(opening, response, method)?.catch(fail);
    } catch (error) {
      return fail(error);
    }
    if (!found) next();
  };

  return Object.assign(answer, {
    fetch(request: Request): Promise<Response> | undefined {
      const { method, url, headers } = request;
      const fail = (error: unknown): Promise<Response> => {
        onError(error);
        return toResponse({ decision: refuse(500) }, method);
      };
      let found;
      try {
        found = find(url, method);
      } catch (error) {
        return fail(error);
      }
      if (!found) return undefined;
      const header = (name: string): string | undefined => headers.get(name) ?? undefined;
      return respond({ method, header }, { found, target: url }).catch(fail);
    },
  });
}

async function respond(question: Question, asked: { found: Found; target: string }): Promise<Response> {
  return toResponse(await open(question, asked), question.method);
}

function open(question: Question, { found, target }: { found: Found; target: string }): Opened | Promise<Opened> {
  return 'slash' in found ? { decision: redirect(toLocation(found, target)) } : openFile(question, found.file);
}
