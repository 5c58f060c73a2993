import { getRedirectResult } from 'appkit-web-browser';
import { answerState } from './answer-state.ts';
import type { Made } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { parseReturnParams } from './return-url.ts';

/** A request that waits for its answer while its page is away. */
export interface PendingRequest {
  /**
   * With the code verifier, without the client secret. Its values are the app's, except those in {@link
   * PendingRequest.made}.
   */
  config: AuthRequestConfig;
  /** The generated values, which are created again for the next prompt. */
  made: Made;
  /** The URL that was opened. */
  url: string;
  /** The issuer it was made for, if known. */
  issuer: string | undefined;
}

// Neither the secret nor the fields of an app's own class.
const KEPT = [
  'allowInsecureRequests',
  'clientId',
  'clockToleranceSeconds',
  'codeChallenge',
  'codeChallengeMethod',
  'codeVerifier',
  'extraParams',
  'nonce',
  'prompt',
  'redirectUri',
  'responseType',
  'scopes',
  'state',
  'usePKCE',
] as const satisfies readonly (keyof AuthRequestConfig)[];

// One is enough: sessionStorage belongs to a tab, and a tab can only be at one provider.
const KEY = 'appkit-auth-session:request';

/** Keeps a request while the page is away. It is dropped if the page was not left after all. */
export async function keepWhileAway<T>(pending: PendingRequest, leave: () => Promise<T>): Promise<T> {
  // React Native has a window too.
  if (typeof document === 'undefined') return leave();
  const config = Object.fromEntries(KEPT.map((name) => [name, pending.config[name]]));
  useStorage((storage) => storage.setItem(KEY, JSON.stringify({ ...pending, config })));
  try {
    return await leave();
  } finally {
    sessionStorage.removeItem(KEY);
  }
}

function useStorage<T>(use: (storage: Storage) => T): T {
  try {
    return use(sessionStorage);
  } catch (cause) {
    const text = `${location.origin} cannot use sessionStorage, in which a request waits while its page is away. It is full, or the browser blocks it for this site.`;
    throw Object.assign(new Error(text), { code: 'ERR_WEB_BROWSER_STORAGE', cause });
  }
}

type Answered = PendingRequest & { returnUrl: string };

// React calls effects twice in development, and an app may call this in several places.
const resumed = new Map<string | undefined, Promise<unknown>>();

/**
 * Resumes the request whose answer this page receives. Every call in one page load returns the same; the stored
 * request is deleted.
 */
export async function resumeOnce<T>(
  issuer: string | undefined,
  resume: (answered: Answered) => Promise<T>,
): Promise<T | null> {
  const answered = takeAnsweredRequest(issuer);
  if (answered !== null) resumed.set(issuer, resume(answered));
  // The caller is the same.
  return ((await resumed.get(issuer)) ?? null) as T | null;
}

function takeAnsweredRequest(issuer: string | undefined): Answered | null {
  if (typeof document === 'undefined') return null;
  const text = useStorage((storage) => storage.getItem(KEY));
  if (text === null) return null;
  // Only this module writes under the key.
  const pending = JSON.parse(text) as PendingRequest;
  // An app with several providers calls this for each.
  if (pending.issuer !== undefined && pending.issuer !== issuer) return null;
  // The answer on this page is not to this request: that one may still arrive.
  if (answerState(parseReturnParams(location.href).params) !== pending.config.state) return null;
  const result = getRedirectResult();
  if (result === null) return null;
  sessionStorage.removeItem(KEY);
  return { ...pending, returnUrl: result.url };
}
