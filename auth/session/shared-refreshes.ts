import type { StoredSession } from './server-session.ts';
import type { Settings } from './session-server-options.ts';
import type { TokenResponse } from './token-response.ts';

/** What is known of a refresh. No promise: on workerd a request cannot wait for one of another request, which may have ended. */
export interface Refresh {
  /** When the request that does it was last seen, in milliseconds. */
  at: number;
  /** What came of it, once it is over. */
  outcome?: { tokens: TokenResponse } | { error: unknown };
  /** The user has signed out: nobody gets its tokens. */
  isEnded?: boolean;
}

/** How long an outcome is kept for requests that the browser has sent before it had the next cookie. */
const KEPT_MS = 60_000;
/** After this long without a sign of it, the request that refreshes is gone: on workerd it ends when its client leaves. */
const GONE_MS = 10_000;
/** How often the request that refreshes gives a sign. */
const SIGN_MS = 1000;
/** How often a request looks whether the refresh of another one is over. */
const LOOK_MS = 20;
// Middleware and routes of a bundled app have each their own copy of this module, and must not refresh twice.
const REFRESHES = Symbol.for('appkit.auth.refreshes');

/** The refreshes of this process, by what {@link keyOf} gives. */
export function sharedRefreshes(): Map<string, Refresh> {
  const shared = globalThis as { [REFRESHES]?: Map<string, Refresh> }; // nobody else has this symbol
  const refreshes = (shared[REFRESHES] ??= new Map());
  const now = Date.now();
  for (const [key, { at }] of refreshes) if (now - at > KEPT_MS) refreshes.delete(key);
  return refreshes;
}

/** Names the refresh of these tokens. */
export function keyOf({ accessToken, refreshToken }: TokenResponse, { clientId, issuer }: Settings): string {
  return JSON.stringify([issuer, clientId, refreshToken ?? accessToken]);
}

/** Notes what comes of a refresh, and until then that the request is still there, however long the provider takes. */
export async function recordOutcome(refresh: Refresh, work: Promise<TokenResponse>): Promise<void> {
  const signs = setInterval(() => (refresh.at = Date.now()), SIGN_MS);
  try {
    refresh.outcome = { tokens: await work };
  } catch (error) {
    refresh.outcome = { error };
  } finally {
    clearInterval(signs);
    refresh.at = Date.now();
  }
}

/** Waits for what comes of a refresh; undefined when the request that did it is gone. */
export async function outcomeOf(refresh: Refresh): Promise<Refresh['outcome']> {
  while (!refresh.outcome && Date.now() - refresh.at < GONE_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return refresh.outcome;
}

/**
 * Ends what a session may become by a refresh, for all requests that still have a cookie of it.
 *
 * @returns its refreshes that have begun, whose tokens are to be revoked as well.
 */
export function endRefreshes({ tokens }: StoredSession, settings: Settings): Refresh[] {
  const refreshes = sharedRefreshes();
  const nextOf = ({ outcome }: Refresh): string | undefined =>
    outcome && 'tokens' in outcome ? keyOf(outcome.tokens, settings) : undefined;
  const ended = new Set([keyOf(tokens, settings)]);
  const begun: Refresh[] = [];
  // The map has them in the order in which they began: first what came of these tokens, then what they came of.
  for (const [key, refresh] of refreshes) {
    if (!ended.has(key)) continue;
    // The caller that has already ended it revokes its tokens.
    if (!refresh.isEnded) begun.push(refresh);
    const next = nextOf(refresh);
    if (next !== undefined) ended.add(next);
  }
  for (const [key, refresh] of [...refreshes].toReversed()) if (ended.has(nextOf(refresh) ?? '')) ended.add(key);
  for (const key of ended) {
    const refresh: Refresh = refreshes.get(key) ?? { at: Date.now() };
    // Late requests are to find it as long as after a refresh. Only a request that refreshes says that it is still there.
    if (refresh.outcome) refresh.at = Date.now();
    refresh.isEnded = true;
    refreshes.set(key, refresh);
  }
  return begun;
}

/** Whether the user has signed out of a session in the last minute. */
export function isEnded({ tokens }: StoredSession, settings: Settings): boolean {
  return sharedRefreshes().get(keyOf(tokens, settings))?.isEnded === true;
}
