import { ServerResponse, STATUS_CODES } from 'node:http';
import { CACHE_DEFAULT, isForCaches, saysCaching } from '../_http/cache-default.ts';
import { isFraming } from '../_http/framing.ts';
import { toHeaderList, valueOf } from '../_http/header-list.ts';
import type { HeaderList } from '../_http/header-list.ts';
import { assertHeaderValue } from '../_http/header-value.ts';
import type { NodeResponse } from './host-types.ts';

/** Answers for which `cache()` was called have it if others may get them. */
const SHARED = 'cdn-cache-control';

export interface Head {
  status: number;
  statusText: string;
  /** Names in a list are in lower case. */
  headers: HeaderList | Headers;
}

/**
 * Writes the status and headers of a Response, in addition to the headers that a framework has already set.
 *
 * @param length – the length of the body in bytes, if known; it replaces the route's own.
 */
export function writeHead(head: Head, nodeResponse: NodeResponse, length: number | undefined): void {
  const statusText = head.statusText || (STATUS_CODES[head.status] ?? '');
  const isFirst = isUntouched(nodeResponse);
  const list = toList(head, length, !isFirst && nodeResponse.hasHeader('cache-control'));
  if (isFirst) {
    // Node writes a flat list with the least work, and only this form keeps several cookies.
    nodeResponse.writeHead(head.status, statusText, list);
    return;
  }
  // Before the first header is set: the answer that says that something failed must not have some of them. HTTP/2 of Node would leave
  // out only the invalid one.
  for (let index = 0; index < list.length; index += 2) {
    assertHeaderValue(list[index] as string, list[index + 1] as string);
  }
  nodeResponse.statusCode = head.status;
  // HTTP/2 does not have a reason phrase: RFC 9113 section 8.3.2.
  if (nodeResponse instanceof ServerResponse) (nodeResponse as ServerResponse).statusMessage = statusText;
  const isShared = valueOf(list, SHARED) !== undefined;
  const isForbidden = forbidsSharing(nodeResponse, { list, isShared });
  // By index: an array per field would slow down every answer of an Express app.
  for (let index = 0; index < list.length; index += 2) {
    const [name, value] = [list[index] as string, list[index + 1] as string];
    const isCaching = name.endsWith('cache-control');
    if (isCaching && isForbidden) continue;
    // HTTP/2 has no connection header, and Node warns about it: RFC 9113 section 8.2.2.
    if (name === 'set-cookie') nodeResponse.appendHeader(name, value);
    // Keep a framework's Vary for caches, such as the Origin that cors() sets.
    else if (name === 'vary') nodeResponse.setHeader(name, mergeVary(nodeResponse.getHeader(name), value));
    else if (isCaching && isShared) nodeResponse.setHeader(name, toLateValue(value, nodeResponse));
    else if (nodeResponse instanceof ServerResponse || name !== 'connection') nodeResponse.setHeader(name, value);
  }
}

// Respect what a framework or its middleware has set or patched: Express sets headers, compression patches writeHead to look at them.
function isUntouched(nodeResponse: NodeResponse): nodeResponse is ServerResponse {
  return (
    nodeResponse instanceof ServerResponse &&
    nodeResponse.writeHead === ServerResponse.prototype.writeHead &&
    nodeResponse.getHeaderNames().length === 0
  );
}

/** Whether a framework's `Cache-Control` stays, since it is stricter than what `cache()` has made of the answer's. */
function forbidsSharing(
  nodeResponse: NodeResponse,
  { list, isShared }: { list: readonly string[]; isShared: boolean },
): boolean {
  const given = String(nodeResponse.getHeader('cache-control') ?? '');
  if (/\bno-store\b/i.test(given)) return isShared || valueOf(list, 'cache-control') === CACHE_DEFAULT;
  // With a value, private is only about the headers that it names: RFC 9111 section 5.2.2.7.
  const isPrivate = /\bprivate\b(?!\s*=)/i.test(given);
  return isShared && (isPrivate || (/\bno-cache\b/i.test(given) && !nodeResponse.hasHeader('set-cookie')));
}

/**
 * A value that Node reads when it writes the head: the one for a single visitor if there is a cookie by then, which
 * express-session sets no earlier.
 */
function toLateValue(value: string, nodeResponse: NodeResponse): string[] {
  return Object.defineProperty([value], 0, {
    get: () => (nodeResponse.hasHeader('set-cookie') ? CACHE_DEFAULT : value),
  });
}

function mergeVary(framework: unknown, own: string): string {
  const known = framework === undefined ? [] : String(framework).split(/\s*,\s*/);
  const isKnown = (name: string): boolean => known.some((one) => one.toLowerCase() === name.toLowerCase());
  return [...known, ...own.split(/\s*,\s*/).filter((name) => !isKnown(name))].join(', ');
}

function toList({ status, headers }: Head, length: number | undefined, isCached: boolean): string[] {
  const all = toHeaderList(headers);
  let isSaid = isCached;
  const list: string[] = [];
  // RFC 9110 section 8.6: a 204 has no Content-Length.
  const keepsLength = length === undefined && status !== 204;
  for (let index = 0; index < all.length; index += 2) {
    const name = all[index] as string;
    const value = all[index + 1] as string;
    if (isFraming(name, value) || (name === 'content-length' && !keepsLength)) continue;
    if (saysCaching(name)) isSaid = true;
    list.push(name, value);
  }
  if (!isSaid && isForCaches(status)) list.push('cache-control', CACHE_DEFAULT);
  if (length !== undefined) list.push('content-length', String(length));
  return list;
}
