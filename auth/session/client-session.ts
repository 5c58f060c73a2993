import { LOADING, stateWith } from './client-session-state.ts';
import type { SessionEvent, SessionState } from './client-session-state.ts';
import { fromText, keepText, readText, toText } from './client-session-store.ts';
import type { SessionStorage } from './client-session-store.ts';
import { inTurn, joinTabs } from './client-session-tabs.ts';
import type { TabMessage, TellTabs } from './client-session-tabs.ts';
import { missing } from './coded-error.ts';
import { resolveDiscoveryAsync } from './discovery.ts';
import type { DiscoveryOptions } from './discovery.ts';
import { revokeAsync } from './operations.ts';
import type { DiscoveryDocument, IssuerOrDiscovery } from './provider-metadata.ts';
import { isSessionOver } from './session-over.ts';
import { TokenResponse } from './token-response.ts';
import { untilAborted } from './until-aborted.ts';

/** Options of a session. */
export interface SessionConfig extends Omit<DiscoveryOptions, 'signal'> {
  /** Identifies the client. It has no secret: a page could not keep it. */
  clientId: string;
  /** The provider: its issuer, or its discovery document. */
  discovery: IssuerOrDiscovery;
  /**
   * Keeps the tokens when the page is reloaded, and shares them among tabs. Every script of the app's origin can read
   * `localStorage`. Default: none: each tab has its own session, which ends with the tab.
   */
  storage?: SessionStorage | undefined;
  /** The name of the session, in the storage and among tabs. Default: `appkit-auth-session:` and the client id. */
  name?: string | undefined;
  /** Called with failures that no caller awaits, such as a revocation at sign-out. Default: `console.error`. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The session of a user who may be signed in. Its functions need no `this`. */
export interface Session {
  /** The current state. */
  getState: () => SessionState;
  /**
   * Calls a listener with every event from now on, including those of other tabs.
   *
   * @returns a function that removes the listener.
   */
  subscribe: (listener: (event: SessionEvent) => void) => () => void;
  /**
   * Starts the session with the tokens of a sign-in, in all tabs that share the storage.
   *
   * @throws Error with code `ERR_AUTH_STORAGE` when they cannot be stored: they are valid until the page is left.
   */
  startAsync: (tokens: TokenResponse) => Promise<void>;
  /**
   * Returns an access token that is valid for a while. If needed, it is refreshed, once for all callers and all tabs.
   *
   * @param options – `signal` ends the wait of this caller. `refused`: an access token that an API has refused, so that
   *   another one is needed.
   * @returns null if no user is signed in any more.
   * @throws as `refreshAsync`, for a provider that cannot be reached after the token has expired.
   */
  getAccessTokenAsync: (options?: {
    refused?: string | undefined;
    signal?: AbortSignal | undefined;
  }) => Promise<string | null>;
  /**
   * Signs out in all tabs at once, and revokes the tokens at the provider, if it can. The provider's own session continues:
   * end it with `endSessionAsync`, with the `idToken` of the earlier tokens.
   *
   * @throws Error with code `ERR_AUTH_STORAGE` when the storage did not delete the tokens. A failed revocation is reported to `onError`.
   */
  signOutAsync: () => Promise<void>;
}

/**
 * Creates a session for an app without a server: it keeps the tokens, refreshes them before they expire, and signs out
 * in all tabs. With a server, `appkit-auth-session/server` keeps them out of the browser, which is safer.
 *
 * Nothing is read or opened before the session is used, so it can be made at the top level of a module.
 *
 * @throws TypeError without a client id.
 */
export function createSession(config: SessionConfig): Session {
  const { clientId, onError = (error) => console.error(error), storage } = config;
  if (!clientId) throw missing('clientId', 'A session');
  const name = config.name ?? `appkit-auth-session:${clientId}`;
  const listeners = new Set<(event: SessionEvent) => void>();
  let state = LOADING;
  let loading: Promise<void> | undefined;
  let refreshing: Promise<TokenResponse | null> | undefined;
  let tellTabs: TellTabs | undefined;
  // The contents of the storage when this tab last read it.
  let known: string | null = null;

  function change(tokens: TokenResponse | null, event: SessionEvent): void {
    state = stateWith(tokens);
    for (const listener of listeners) {
      // A failing listener must not prevent storing the tokens and notifying the other tabs.
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }

  function join(): TellTabs {
    return (tellTabs ??= joinTabs(name, hear));
  }

  // Once for all callers. A storage that cannot be read now may be readable later.
  function load(): Promise<void> {
    join();
    loading ??= read().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function read(): Promise<void> {
    const text = storage ? await readText(storage, name) : null;
    // Another tab, or a sign-in, was faster.
    if (state !== LOADING) return;
    known = text;
    change(fromText(text), { type: 'loaded' });
  }

  function hear({ isKept = true, text, type }: TabMessage): void {
    if (type === 'signed-out') {
      const { tokens } = state;
      known = null;
      if (state.status !== 'signed-out') change(null, { type, reason: 'asked' });
      // Without a storage, only this tab has its tokens.
      if (tokens && !storage) revoke(tokens).catch(onError);
    } else if (storage) {
      if (isKept) known = text;
      change(fromText(text), { type });
    }
  }

  async function keep(tokens: TokenResponse, type: 'refreshed' | 'signed-in'): Promise<void> {
    const tell = join();
    const text = toText(tokens);
    const before = known;
    known = text;
    change(tokens, { type });
    // Without a storage, the tokens are for this tab only.
    if (!storage) return;
    try {
      await keepText(storage, name, text);
      tell({ type, text });
    } catch (error) {
      // It still has what it had, which must not count as newer than these tokens, here and in other tabs.
      if (known === text) known = before;
      tell({ type, text, isKept: false });
      throw error;
    }
  }

  async function end(reason: 'asked' | 'expired' | 'refused'): Promise<void> {
    known = null;
    change(null, { type: 'signed-out', reason });
    // Without a storage, a session that ends here by itself ends only in this tab.
    if (storage || reason === 'asked') join()({ type: 'signed-out', text: null });
    if (storage) await keepText(storage, name, null);
  }

  async function revoke({ accessToken, refreshToken }: TokenResponse): Promise<void> {
    const discovery = await findDiscovery();
    if (!discovery.revocationEndpoint) return;
    await revokeAsync({ clientId, token: refreshToken ?? accessToken }, discovery, config);
  }

  async function findDiscovery(): Promise<DiscoveryDocument> {
    return resolveDiscoveryAsync(config.discovery, config);
  }

  /** Gets new tokens, unless another tab did so while this one waited for its turn. */
  async function refresh(stale: TokenResponse): Promise<TokenResponse | null> {
    // Another tab may have sent a message meanwhile, which is newer than what the storage may still show here.
    if (state.tokens === stale && storage) {
      const text = await readText(storage, name);
      if (text !== known && state.tokens === stale) {
        known = text;
        const tokens = fromText(text);
        change(tokens, tokens ? { type: 'refreshed' } : { type: 'signed-out', reason: 'asked' });
      }
    }
    const current = state.tokens;
    if (!current || (current !== stale && TokenResponse.isTokenFresh(current, MARGIN_SECONDS))) return current;
    const isUsable = TokenResponse.isTokenFresh(current, 0);
    if (current.refreshToken === undefined) {
      if (isUsable) return current;
      await end('expired');
      return null;
    }
    const next = new TokenResponse(current.getRequestConfig());
    try {
      await next.refreshAsync({ clientId }, await findDiscovery(), config);
    } catch (error) {
      if (isSessionOver(error)) {
        if (state.tokens === current) await end('refused');
        return state.tokens;
      }
      if (!isUsable) throw error;
      onError(error);
      return current;
    }
    if (state.tokens !== current) {
      // The user has meanwhile signed out, or in again. These tokens are not used.
      await revoke(next).catch(onError);
      return state.tokens;
    }
    // They can be used, although they are only in memory.
    await keep(next, 'refreshed').catch(onError);
    return next;
  }

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      load().catch(onError);
      return () => void listeners.delete(listener);
    },
    async startAsync(tokens) {
      // A copy: the app's changes to it have no effect on others.
      await keep(new TokenResponse(tokens.getRequestConfig()), 'signed-in');
    },
    async getAccessTokenAsync({ refused, signal } = {}) {
      await untilAborted(load(), signal);
      const { tokens } = state;
      if (!tokens) return null;
      if (tokens.accessToken !== refused && TokenResponse.isTokenFresh(tokens, MARGIN_SECONDS))
        return tokens.accessToken;
      refreshing ??= inTurn(name, () => refresh(tokens)).finally(() => (refreshing = undefined));
      return (await untilAborted(refreshing, signal))?.accessToken ?? null;
    },
    async signOutAsync() {
      await load().catch(onError);
      const { tokens } = state;
      const revoked = tokens ? revoke(tokens).catch(onError) : undefined;
      await end('asked');
      await revoked;
    },
  };
}

// How long before it expires a token is refreshed, so that it outlives the request that it is used for.
const MARGIN_SECONDS = 60;
