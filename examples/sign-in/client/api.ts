import type { Profile, UserInfo } from '../server/answers.ts';

/** Who is signed in; null if nobody is. */
export async function getProfile(): Promise<Profile | null> {
  const response = await send('GET', '/me');
  if (response.status === 401) return null;
  return (await succeeded(response)).json();
}

/** Makes the server ask the provider about the user; null when the user is no longer signed in. */
export async function getUserInfo(): Promise<UserInfo | null> {
  const response = await send('POST', '/user-info');
  if (response.status === 401) return null;
  return (await succeeded(response)).json();
}

async function send(method: 'GET' | 'POST', path: string): Promise<Response> {
  return fetch(path, { method }).catch((cause: unknown) => {
    throw new Error('No answer. Are you offline, or is the server?', { cause });
  });
}

async function succeeded(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { error } = ((await response.json().catch(() => null)) ?? {}) as { error?: unknown };
  // Only text is shown.
  throw new Error(typeof error === 'string' ? error : `The server could not do this (${response.status}).`);
}
