import type { AuthError } from './errors.ts';
import type { TokenResponse } from './token-response.ts';

/** How a session ended. */
export type AuthSessionResult = SimpleAuthSessionResult | CompletedAuthSessionResult;

/** A session that ended without an answer of the authorization server. */
export interface SimpleAuthSessionResult {
  /**
   * `cancel`: the user closed the browser. `dismiss`: the app did. `locked`: another session is in progress. `opened`: the
   * browser was opened, and nobody will tell how it ended.
   */
  type: 'cancel' | 'dismiss' | 'opened' | 'locked';
}

/**
 * A session that ended with an answer of the authorization server. For hooks also one whose browser could not be opened, with that
 * error as its cause.
 */
export interface CompletedAuthSessionResult {
  type: 'error' | 'success';
  /** The tokens, when the answer holds an access token and nothing is wrong with it. */
  authentication: TokenResponse | null;
  /** What is wrong, when `type` is `error`. */
  error?: AuthError | null;
  /** @deprecated Use `error`. */
  errorCode: string | null;
  /** How the answer came. */
  event: RedirectEvent;
  /** The parameters of the answer, from its query and its fragment. */
  params: Record<string, string>;
  /** The URL that was opened; empty when that has failed. */
  url: string;
}

/** How an answer came. Frozen. */
export interface RedirectEvent {
  readonly type: 'redirect';
  /** The URL the authorization server sent the user to; empty when it has not answered. */
  readonly url: string;
  /** When it was read, in milliseconds since 1970. */
  readonly timestamp: number;
}
