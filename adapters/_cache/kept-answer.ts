/** A complete answer that is sent to more than one visitor. */
export interface KeptAnswer {
  status: number;
  statusText: string;
  /** Names are in lower case. A header that is sent several times is listed several times. */
  headers: [name: string, value: string][];
  body: Uint8Array;
  /** The tags and paths that invalidate it. */
  tags: readonly string[];
  /** When the answer was made, in milliseconds since 1970, minus its `Age`. */
  madeAtMs: number;
  /**
   * For how many seconds after that the answer is fresh, may be sent while a new one is made, and may be sent if making
   * a new one fails.
   */
  fresh: number;
  staleWhileRevalidate: number;
  staleIfError: number;
}

/** Records that the answer to a URL depends on some request headers: each variant is kept under their values. */
export interface KeptVary {
  vary: readonly string[];
  tags: readonly string[];
  madeAtMs: number;
}

/** What is kept under a key. */
export type Kept = KeptAnswer | KeptVary;

/**
 * For how many seconds an answer with a validator is kept after it may no longer be sent, so that it can be
 * revalidated.
 */
const VALIDATED_SECONDS = 3600;

/** Until when an answer may be useful, in milliseconds since 1970. */
export function usefulUntil(kept: KeptAnswer): number {
  const isValidated = kept.headers.some(([name]) => name === 'etag' || name === 'last-modified');
  const stale = Math.max(kept.staleWhileRevalidate, kept.staleIfError, isValidated ? VALIDATED_SECONDS : 0);
  return kept.madeAtMs + (kept.fresh + stale) * 1000;
}
