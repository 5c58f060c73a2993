import { DATA_PARAMETER } from 'appkit-server/match';
import { answeringContext } from './answering-context.ts';

/** What a request asks for. */
export interface PageRequest {
  /** Only the data, for a client that has the page. */
  isForData: boolean;
  /** The URL of the page. */
  url: URL;
  /** The request as loaders and actions see it: for the page, even if only its data is asked for. */
  seen: Request;
  /** The levels whose data is asked for. `undefined`: all. */
  levels: ReadonlySet<number> | undefined;
}

/** Reads whether a request is for a page or for its data. */
export function readPageRequest(request: Request): PageRequest {
  const url = new URL(request.url);
  const asked = url.searchParams.get(DATA_PARAMETER);
  const isForData = asked !== null;
  if (isForData) url.search = withoutDataParameter(url.search);
  return { isForData, url, seen: isForData ? toPageRequest(request, url) : request, levels: toLevelSet(asked) };
}

// The rest stays as the visitor's browser wrote it: URLSearchParams would make `?a%20b` into `?a+b=`.
function withoutDataParameter(search: string): string {
  const parts = search.slice(1).split('&');
  return parts.filter((part) => !new URLSearchParams(part).has(DATA_PARAMETER)).join('&');
}

// Created by the runtime, which records what a loader reads, to know who may receive the response.
function toPageRequest(request: Request, url: URL): Request {
  return answeringContext()?.withUrl?.(request, url.href) ?? new Request(url, request);
}

/** `1.2`: the client has the data of the other levels. Empty: it has none. */
function toLevelSet(asked: string | null): Set<number> | undefined {
  return asked === null || !/^\d+(?:\.\d+)*$/.test(asked) ? undefined : new Set(asked.split('.').map(Number));
}
