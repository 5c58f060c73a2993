import type { AuthError } from './errors.ts';
import type { TokenResponse } from './token-response.ts';

/** How a session ended. */
export type AuthSessionResult = SimpleAuthSessionResult | CompletedAuthSessionResult;

/** A session that ended without an answer from the authorization server. */
export interface SimpleAuthSessionResult {
  /**
   * `cancel`: the user closed the browser. `dismiss`: the app did. `locked`: another session is in progress. `opened`:
   * the browser was opened, and the result will not be reported.
   */
  type: 'cancel' | 'dismiss' | 'opened' | 'locked';
}

/**
 * A session that ended with an answer from the authorization server. For hooks also a session whose browser could not
 * be opened, with that error as its cause.
 */
export interface CompletedAuthSessionResult {
  type: 'error' | 'success';
  /** The tokens, if the answer is valid and contains an access token. */
  authentication: TokenResponse | null;
  /** The error, if `type` is `error`. */
  error?: AuthError | null;
  /** @deprecated Use `error`. */
  errorCode: string | null;
  /** How the answer came. */
  event: RedirectEvent;
  /** The parameters of the answer, from its query and its fragment. */
  params: Record<string, string>;
  /** The URL that was opened; empty if that has failed. */
  url: string;
}

/** How an answer arrived. Frozen. */
export interface RedirectEvent {
  readonly type: 'redirect';
  /** The URL the authorization server sent the user to; empty when it has not answered. */
  readonly url: string;
  /** When it was read, in milliseconds since 1970. */
  readonly timestamp: number;
}
