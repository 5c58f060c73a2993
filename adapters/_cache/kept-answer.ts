/** A whole answer that is given to more than one visitor. */
export interface KeptAnswer {
  status: number;
  statusText: string;
  /** In lower case, each as often as it is sent. */
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** By what it is found when it is to be forgotten. */
  tags: readonly string[];
  /** When it was made, in milliseconds since 1970, its `Age` taken off. */
  madeAtMs: number;
  /** For how many seconds after that it is fresh, may be given while a new one is made, and when that fails. */
  fresh: number;
  staleWhileRevalidate: number;
  staleIfError: number;
}

/** That the answer to a URL depends on some request headers, under whose values each of them is kept. */
export interface KeptVary {
  vary: readonly string[];
  tags: readonly string[];
  madeAtMs: number;
}

/** What stands under a key. */
export type Kept = KeptAnswer | KeptVary;

/** For how many seconds an answer stays that can be asked for by its validator, after it may no longer be given. */
const VALIDATED_SECONDS = 3600;

/** Until when something may be of use, in milliseconds since 1970. */
export function usefulUntil(kept: KeptAnswer): number {
  const isValidated = kept.headers.some(([name]) => name === 'etag' || name === 'last-modified');
  const stale = Math.max(kept.staleWhileRevalidate, kept.staleIfError, isValidated ? VALIDATED_SECONDS : 0);
  return kept.madeAtMs + (kept.fresh + stale) * 1000;
}
