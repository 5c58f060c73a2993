import type { StoredSession } from './server-session.ts';
import type { Settings } from './session-server-options.ts';
import type { TokenResponse } from './token-response.ts';

/**
 * The state of a refresh. Not a promise: on workerd, a request cannot wait for a promise of another request, which may
 * have ended.
 */
export interface Refresh {
  /** The last sign of the refreshing request, in milliseconds. */
  at: number;
  /** Its outcome, once it has ended. */
  outcome?: { tokens: TokenResponse } | { error: unknown };
  /** Whether the user has signed out, so that its tokens must not be used. */
  isEnded?: boolean;
}

/** How long an outcome is kept, for requests that the browser sent before it received the new cookie. */
const KEPT_MS = 60_000;
/**
 * After this time without a sign, the refreshing request is considered gone: on workerd it ends when its client
 * disconnects.
 */
const GONE_MS = 10_000;
/** How often the refreshing request updates its sign. */
const SIGN_MS = 1000;
/** How often a request checks whether another one's refresh has ended. */
const LOOK_MS = 20;
// Middleware and routes of a bundled app each have their own copy of this module, and must not refresh twice.
const REFRESHES = Symbol.for('appkit.auth.refreshes');

/** The refreshes of this process, by the keys of {@link keyOf}. */
export function sharedRefreshes(): Map<string, Refresh> {
  const shared = globalThis as { [REFRESHES]?: Map<string, Refresh> }; // only this module has this symbol
  const refreshes = (shared[REFRESHES] ??= new Map());
  const now = Date.now();
  for (const [key, { at }] of refreshes) if (now - at > KEPT_MS) refreshes.delete(key);
  return refreshes;
}

/** The key of the refresh of these tokens. */
export function keyOf({ accessToken, refreshToken }: TokenResponse, { clientId, issuer }: Settings): string {
  return JSON.stringify([issuer, clientId, refreshToken ?? accessToken]);
}

/**
 * Records the outcome of a refresh, and until then signs that the request is alive, however long the provider takes.
 */
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

/** Waits for the outcome of a refresh; undefined when the refreshing request is gone. */
export async function outcomeOf(refresh: Refresh): Promise<Refresh['outcome']> {
  while (!refresh.outcome && Date.now() - refresh.at < GONE_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return refresh.outcome;
}

/**
 * Ends a session with its refreshed successors, for all requests that still have one of its cookies.
 *
 * @returns its refreshes that have begun, whose tokens must be revoked too.
 */
export function endRefreshes({ tokens }: StoredSession, settings: Settings): Refresh[] {
  const refreshes = sharedRefreshes();
  const nextOf = ({ outcome }: Refresh): string | undefined =>
    outcome && 'tokens' in outcome ? keyOf(outcome.tokens, settings) : undefined;
  const ended = new Set([keyOf(tokens, settings)]);
  const begun: Refresh[] = [];
  // The map is in the order in which refreshes began: a pass forward finds the successors of these tokens, then one
  // backward their predecessors.
  for (const [key, refresh] of refreshes) {
    if (!ended.has(key)) continue;
    // If an earlier caller has ended it, that caller revokes its tokens.
    if (!refresh.isEnded) begun.push(refresh);
    const next = nextOf(refresh);
    if (next !== undefined) ended.add(next);
  }
  for (const [key, refresh] of [...refreshes].toReversed()) if (ended.has(nextOf(refresh) ?? '')) ended.add(key);
  for (const key of ended) {
    const refresh: Refresh = refreshes.get(key) ?? { at: Date.now() };
    // Late requests must find it for as long as after a refresh. Only a refreshing request signs that it is alive.
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
