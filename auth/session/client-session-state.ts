import type { TokenResponse } from './token-response.ts';

/** Whether a user is signed in, and with which tokens. Each change is a new object. */
export type SessionState =
  | {
      /** `loading`: the storage has not been read yet. */
      readonly status: 'loading' | 'signed-out';
      readonly tokens: null;
    }
  | { readonly status: 'signed-in'; readonly tokens: TokenResponse };

/** What has changed. */
export type SessionEvent =
  /** The storage has been read. */
  | { type: 'loaded' }
  /** A user has signed in, here or in another tab. */
  | { type: 'signed-in' }
  /** The same user has new tokens. */
  | { type: 'refreshed' }
  | {
      type: 'signed-out';
      /**
       * `asked`: the app has requested it, here or in another tab. `expired`: the token has expired, without a refresh
       * token. `refused`: the provider has not accepted the refresh token.
       */
      reason: 'asked' | 'expired' | 'refused';
    };

/** The state before the storage is read, and on a server. */
export const LOADING: SessionState = Object.freeze({ status: 'loading', tokens: null });

const SIGNED_OUT: SessionState = Object.freeze({ status: 'signed-out', tokens: null });

/** The state with these tokens. */
export function stateWith(tokens: TokenResponse | null): SessionState {
  return tokens ? Object.freeze({ status: 'signed-in', tokens }) : SIGNED_OUT;
}
