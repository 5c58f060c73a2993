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
  /** Its outcome, once it has ended. The key is that of the next refresh. */
  outcome?: { tokens: TokenResponse; key: string } | { error: unknown };
  /** How many refreshes of these tokens have failed before this one, in a row. */
  failures?: number;
  /** Why its tokens must not be used: the user has signed out, or has signed in again. */
  ended?: 'signed out' | 'replaced';
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
/** How long a request may hold a session: on workerd, a request can end without letting go. */
const MAX_HELD_MS = 2 * 60 * 60_000;
// Middleware and routes of a bundled app each have their own copy of this module, and must not refresh twice.
const SHARED = Symbol.for('appkit.auth.refreshes');

interface Shared {
  /** The running requests that will store a session in the browser: the keys of their sessions, and when they began. */
  holds: Set<{ key: string; since: number }>;
  refreshes: Map<string, Refresh>;
}

/** The refreshes of this process, by the keys of {@link keyOf}. */
export function sharedRefreshes(): Map<string, Refresh> {
  const { holds, refreshes } = shared();
  const now = Date.now();
  for (const hold of holds) if (now - hold.since > MAX_HELD_MS) holds.delete(hold);
  const held = new Set([...holds].map(({ key }) => key));
  // In the order in which they began: the successors of a held refresh come later, and are held too.
  for (const [key, refresh] of refreshes) {
    const next = nextOf(refresh);
    if (held.has(key)) {
      if (next !== undefined) held.add(next);
    } else if (now - refresh.at > KEPT_MS) refreshes.delete(key);
  }
  return refreshes;
}

/**
 * Keeps what happens to a session in mind until a request has been answered that will store it in the browser.
 *
 * @returns the function that ends this.
 */
export function holdSession({ tokens }: StoredSession, settings: Settings): () => void {
  const { holds, refreshes } = shared();
  const hold = { key: keyOf(tokens, settings), since: Date.now() };
  holds.add(hold);
  return () => {
    holds.delete(hold);
    const refresh = refreshes.get(hold.key);
    // The browser sends the previous cookie until it receives the answer.
    if (refresh) refresh.at = Date.now();
  };
}

/** The newest tokens of a session that this process knows. */
export function newestTokens({ tokens }: StoredSession, settings: Settings): TokenResponse {
  const refreshes = sharedRefreshes();
  const seen = new Set<string>();
  let [newest, key] = [tokens, keyOf(tokens, settings)];
  while (!seen.has(key)) {
    seen.add(key);
    const { outcome } = refreshes.get(key) ?? {};
    if (outcome && 'tokens' in outcome) ({ tokens: newest, key } = outcome);
  }
  return newest;
}

function shared(): Shared {
  const all = globalThis as { [SHARED]?: Shared }; // only this module has this symbol
  return (all[SHARED] ??= { holds: new Set(), refreshes: new Map() });
}

function nextOf({ outcome }: Refresh): string | undefined {
  return outcome && 'tokens' in outcome ? outcome.key : undefined;
}

/** The key of the refresh of these tokens. A provider that does not rotate refresh tokens returns the same one again. */
export function keyOf({ accessToken, refreshToken }: TokenResponse, { clientId, issuer }: Settings): string {
  return JSON.stringify([issuer, clientId, accessToken, refreshToken]);
}

/**
 * Records the outcome of a refresh, and until then signs that the request is alive, however long the provider takes.
 */
export async function recordOutcome(refresh: Refresh, work: Promise<TokenResponse>, settings: Settings): Promise<void> {
  const signs = setInterval(() => (refresh.at = Date.now()), SIGN_MS);
  try {
    const tokens = await work;
    refresh.outcome = { tokens, key: keyOf(tokens, settings) };
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
 * @returns its refreshes that have begun, whose tokens a sign-out must revoke too.
 */
export function endRefreshes(
  { tokens }: StoredSession,
  why: NonNullable<Refresh['ended']>,
  settings: Settings,
): Refresh[] {
  const refreshes = sharedRefreshes();
  const ended = new Set([keyOf(tokens, settings)]);
  const begun: Refresh[] = [];
  // The map is in the order in which refreshes began: a pass forward finds the successors of these tokens, then one
  // backward their predecessors.
  for (const [key, refresh] of refreshes) {
    if (!ended.has(key)) continue;
    // An earlier sign-out revokes its tokens. A new sign-in leaves them to expire.
    if (refresh.ended !== 'signed out') begun.push(refresh);
    const next = nextOf(refresh);
    if (next !== undefined) ended.add(next);
  }
  for (const [key, refresh] of [...refreshes].toReversed()) if (ended.has(nextOf(refresh) ?? '')) ended.add(key);
  for (const key of ended) {
    const refresh: Refresh = refreshes.get(key) ?? { at: Date.now() };
    // Late requests must find it for as long as after a refresh. Only a refreshing request signs that it is alive.
    if (refresh.outcome) refresh.at = Date.now();
    refresh.ended = why;
    refreshes.set(key, refresh);
  }
  return begun;
}

/** Why a session has ended, in the last minute or since a request that holds it has begun. */
export function endOf({ tokens }: StoredSession, settings: Settings): Refresh['ended'] {
  return sharedRefreshes().get(keyOf(tokens, settings))?.ended;
}
