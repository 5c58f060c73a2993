import { getRedirectResult } from 'appkit-web-browser';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { parseReturnParams } from './return-url.ts';

/** A request that waits for its answer while its page is away. */
export interface PendingRequest {
  /** With the code verifier, without the client secret. */
  config: AuthRequestConfig;
  /** The URL that was opened. */
  url: string;
  /** Whom it was made for, when that is known. */
  issuer: string | undefined;
}

// One is enough: storage of a session belongs to a tab, and a tab is away at one provider.
const KEY = 'appkit-auth-session:request';

/** Keeps a request while the page is away. It is dropped when the page was not left after all. */
export async function keepWhileAway<T>(pending: PendingRequest, leave: () => Promise<T>): Promise<T> {
  // React Native has a window too.
  if (typeof document === 'undefined') return leave();
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  try {
    return await leave();
  } finally {
    sessionStorage.removeItem(KEY);
  }
}

/** Gives the request that this page is returned to of, with the URL of its answer, and forgets it. */
export function takeAnsweredRequest(issuer: string | undefined): (PendingRequest & { returnUrl: string }) | null {
  if (typeof document === 'undefined') return null;
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  // Only this module writes under the key.
  const pending = JSON.parse(text) as PendingRequest;
  // An app with several providers asks for the request of each.
  if (pending.issuer !== undefined && pending.issuer !== issuer) return null;
  // Not the answer to it: that may still come.
  if (parseReturnParams(location.href).params['state'] !== pending.config.state) return null;
  const result = getRedirectResult();
  if (result === null) return null;
  sessionStorage.removeItem(KEY);
  return { ...pending, returnUrl: result.url };
}
