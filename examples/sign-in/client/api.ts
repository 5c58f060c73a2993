import type { AuthRequest } from 'appkit-auth-session';
import type { Config, Profile } from '../server/answers.ts';

/** A route has refused, in words for the user. */
export class ApiError extends Error {
  readonly status: number;
  /** The access token has expired, and {@link refresh} may get the next one. */
  readonly hasExpired: boolean;

  constructor(status: number, message: string, hasExpired: boolean) {
    super(message);
    this.status = status;
    this.hasExpired = hasExpired;
  }
}

/** No answer has come. */
export class NoAnswerError extends Error {}

export async function getConfig(): Promise<Config> {
  return (await call('GET', '/config')).json();
}

/** Who is signed in; null for nobody. Refreshes the access token when it has expired. */
export async function getProfile(): Promise<Profile | null> {
  try {
    // Both in one turn: another tab must find the next token, and not refresh once more.
    const response = await inTurn(() =>
      send('GET', '/me').catch((error: unknown) => {
        if (error instanceof ApiError && error.hasExpired) return send('POST', '/refresh');
        throw error;
      }),
    );
    return await response.json();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** Shows the server what the provider has sent. */
export async function exchange(request: AuthRequest, code: string | undefined): Promise<Profile> {
  const { codeVerifier, nonce } = request;
  return (await call('POST', '/token', { code, codeVerifier, nonce })).json();
}

export async function refresh(): Promise<Profile> {
  return (await call('POST', '/refresh')).json();
}

export async function signOut(): Promise<void> {
  await call('POST', '/sign-out');
}

function call(...request: Parameters<typeof send>): Promise<Response> {
  return inTurn(() => send(...request));
}

// One at a time, in all tabs together: a refresh token is good for one use, and the cookie with the next one must be there
// before anybody asks again. A provider takes the second use of one for theft.
async function inTurn(work: () => Promise<Response>): Promise<Response> {
  if (!('locks' in navigator))
    throw new Error('The browser lets this page do too little here. Open it at https://, or at http://localhost.');
  return navigator.locks.request('session', work);
}

async function send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const options = { method, ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }) };
  const response = await fetch(path, options).catch((cause: unknown) => {
    throw new NoAnswerError(`No answer to ${method} ${path}.`, { cause });
  });
  if (response.ok) return response;
  const { error, expired } = ((await response.json().catch(() => null)) ?? {}) as {
    error?: unknown;
    expired?: unknown;
  };
  // What is no text is not shown.
  const message = typeof error === 'string' ? error : `The server could not do this (${response.status}).`;
  throw new ApiError(response.status, message, expired === true);
}
