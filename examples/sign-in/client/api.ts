import type { AuthRequest } from 'appkit-auth-session';
import type { Config, Profile } from '../server/answers.ts';

/** A route has refused, in words for the user. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export async function getConfig(): Promise<Config> {
  return (await call('GET', '/config')).json();
}

/** Who is signed in; null for nobody. */
export async function getProfile(): Promise<Profile | null> {
  try {
    return await (await call('GET', '/me')).json();
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

// One call at a time, in all tabs together: a refresh token is good for one use, and the cookie with the next one must be
// there before anybody asks again. A provider takes the second use of one for theft.
async function call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
  return navigator.locks.request('session', async () => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(path, {
      method,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw new ApiError(response.status, await reasonOf(response));
  });
}

async function reasonOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => null)) as { error?: unknown } | null; // what is no text is not shown
  return typeof answer?.error === 'string' ? answer.error : `The server could not do this (${response.status}).`;
}
