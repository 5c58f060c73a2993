import type { HeaderReads } from './header-reads.ts';
import { unnoticed } from './header-reads.ts';

/** They change the form of an answer, not what it says, or are part of its URL. */
const HARMLESS = [
  'accept-encoding',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
];

/** Whether an answer depends on a request header that it does not name in `vary`, so that nobody else may be given it. */
export function isUnsaid(request: Request, reads: HeaderReads | undefined, vary: readonly string[]): boolean {
  const has = (name: string): boolean => unnoticed(request, () => request.headers.has(name));
  // Whoever logs in by it is answered by himself, whatever the route has looked at: RFC 9111 section 3.5.
  if (!vary.includes('authorization') && has('authorization')) return true;
  if (!reads) return !vary.includes('cookie') && has('cookie');
  if (reads.isAll) return true;
  return [...reads.names].some((name) => !vary.includes(name) && !HARMLESS.includes(name));
}
