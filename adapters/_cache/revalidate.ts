import type { KeptAnswer } from './kept-answer.ts';
import { toLifetimes } from './lifetimes.ts';
import { toKeptHeaders } from './put-answer.ts';

/** Headers that describe the kept body, not the answer that confirms it: RFC 9111 section 3.2. */
const OF_THE_BODY = ['content-encoding', 'content-length', 'content-md5', 'content-range', 'etag'];

/** The request headers that revalidate an answer. Empty when the answer has no validator: RFC 9111 section 4.3.1. */
export function toConditions({ headers }: KeptAnswer): [name: string, value: string][] {
  const valueOf = (name: string): string | undefined => headers.find(([one]) => one === name)?.[1];
  const [etag, modified] = [valueOf('etag'), valueOf('last-modified')];
  if (etag !== undefined) return [['if-none-match', etag]];
  return modified === undefined ? [] : [['if-modified-since', modified]];
}

/**
 * The kept answer, updated by the 304 that confirms it: RFC 9111 section 4.3.4.
 *
 * @returns undefined when the answer is not for others.
 */
export function freshen(
  old: KeptAnswer,
  { status, headers }: Response,
  tags: readonly string[],
): KeptAnswer | undefined {
  const updates = toKeptHeaders(headers).filter(([name]) => !OF_THE_BODY.includes(name));
  const names = new Set(updates.map(([name]) => name));
  const updated = [...old.headers.filter(([name]) => !names.has(name)), ...updates];
  const lifetimes = toLifetimes(new Headers(updated), status);
  return lifetimes && { ...old, ...lifetimes, headers: updated, tags, madeAtMs: Date.now() };
}
