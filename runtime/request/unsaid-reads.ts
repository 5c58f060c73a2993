import type { HeaderReads } from './header-reads.ts';
import { unnoticed } from './header-reads.ts';

/** They change the form of an answer, not its content. */
const HARMLESS = [
  'accept-encoding',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
];

/** The dependency of an answer with a nonce. No header has such a name. */
export const NONCE = 'nonce()';

/** The dependency of an answer that is made for a client's address. No header has such a name. */
export const CLIENT_ADDRESS = 'clientAddress';

/**
 * A dependency of an answer that is not in `vary`, so that the answer must not be sent to others: the name of a
 * request header, or `*` for all.
 */
export function findUnsaid(
  request: Request,
  reads: HeaderReads | undefined,
  vary: readonly string[],
): string | undefined {
  const has = (name: string): boolean => unnoticed(request, () => request.headers.has(name));
  // A visitor who authenticates with it gets a separate answer, whatever the route has read: RFC 9111 section 3.5.
  if (!vary.includes('authorization') && has('authorization')) return 'authorization';
  if (!reads) return !vary.includes('cookie') && has('cookie') ? 'cookie' : undefined;
  if (reads.isAll) return '*';
  return [...reads.names].find((name) => !isSaid(name, vary, request));
}

/** Whether the answer to a request may depend on one of its headers, or by `*` on all of them, when `vary` names some. */
export function isSaid(name: string, vary: readonly string[], request: Request): boolean {
  return vary.includes(name) || HARMLESS.includes(name) || (name === 'host' && isOfUrl(request));
}

// Behind a trusted proxy, the URL has the host that the proxy was asked for.
function isOfUrl(request: Request): boolean {
  const host = unnoticed(request, () => request.headers.get('host'));
  return host === new URL(request.url).host;
}

const told = new Set<string>();

/** Says once per route, in development, why its answer is not kept. */
export function warnOfUnsaid(route: string, name: string): void {
  const text = `${route} calls cache(), but its answer is not kept: ${toReason(name)}`;
  if (told.has(text)) return;
  told.add(text);
  console.warn(text);
}

function toReason(name: string): string {
  if (name === NONCE) return 'nonce() was called. Use hashes in the Content-Security-Policy of answers that are kept.';
  if (name === CLIENT_ADDRESS) return `${name} was read. Leave it out of answers that are kept.`;
  return name === '*'
    ? 'all headers of the request were read. Read only those that it depends on, and name them in vary.'
    : `the request header ${name} was read. Name it in vary, or do not read it.`;
}
