import type { Session } from './client-session.ts';
import { assertEndpoint } from './endpoint.ts';

/**
 * Sends a request with the access token of the session. After a 401 answer, it is sent once more with a new token.
 *
 * The server at the URL gets the token: write the URL in your code, and never use one from an answer or the address
 * bar.
 *
 * @param input – a URL, absolute and of https, or of http on this machine.
 * @param init – as for `fetch`. A body that is a stream is sent only once.
 * @throws Error with code `ERR_AUTH_SIGNED_OUT` when no user is signed in; TypeError with code `ERR_AUTH_ENDPOINT` for
 * another URL;
 *   otherwise as `fetch` and `getAccessTokenAsync`.
 * @see RFC 6750 section 2.1
 */
export async function fetchWithSession(
  session: Session,
  input: string | URL,
  init: RequestInit = {},
): Promise<Response> {
  const url = String(input);
  assertEndpoint(url, 'The URL of fetchWithSession');
  const signal = init.signal ?? undefined;
  const send = async (accessToken: string): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${accessToken}`);
    return fetch(url, { ...init, headers });
  };
  const refused = await session.getAccessTokenAsync({ signal });
  assertSignedIn(refused);
  const response = await send(refused);
  // React Native (0.86) has no streams.
  const isStream = typeof ReadableStream !== 'undefined' && init.body instanceof ReadableStream;
  if (response.status !== 401 || isStream) return response;
  const next = await session.getAccessTokenAsync({ refused, signal });
  if (next === refused) return response;
  await response.body?.cancel();
  assertSignedIn(next);
  return send(next);
}

function assertSignedIn(accessToken: string | null): asserts accessToken is string {
  if (accessToken !== null) return;
  throw Object.assign(new Error('No user is signed in. Offer a sign-in.'), { code: 'ERR_AUTH_SIGNED_OUT' });
}
