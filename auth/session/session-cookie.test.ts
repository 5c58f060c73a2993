import { expect, it } from 'vitest';
import { startUserAgent } from './fixtures/user-agent.ts';
import { endedSessionCookies, readSessionCookie, sessionCookies } from './session-cookie.ts';
import { toSettings } from './session-server-options.ts';

const request = new Request('https://app.example/');
const options = {
  issuer: 'https://provider.example',
  clientId: 'client',
  secrets: ['a secret that is long enough here'],
};
const settings = toSettings(options, request);
const endsAt = Math.floor(Date.now() / 1000) + 3600;

it('keeps a session of any size up to the limit in cookies that a browser keeps', async () => {
  const user = startUserAgent();
  for (const [size, parts] of [
    [100, 1],
    [5000, 2],
    [8000, 3],
    [5000, 2],
    [100, 1],
  ] as const) {
    const content = { text: 'x'.repeat(size) };
    const cookies = await sessionCookies(content, endsAt, { request: user.request('/'), settings });
    for (const cookie of cookies) expect(cookie.length).toBeLessThanOrEqual(4096);
    await user.take(new Response(null, { headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]) }));
    expect(user.cookies.size).toBe(parts);
    expect(await readSessionCookie(user.request('/'), settings)).toEqual({ content, endsAt, isOld: false });
  }
});

it('says of a session that is too large what to do', async () => {
  const call = sessionCookies({ text: 'x'.repeat(9000) }, endsAt, { request, settings });
  await expect(call).rejects.toMatchObject({
    code: 'ERR_AUTH_SESSION_SIZE',
    message: expect.stringMatching(
      /^The session has 12\d{3} bytes, and 11400 are kept in cookies\. .* ask for fewer scopes/,
    ),
  });
});

it('reads no session from a value that only ends like one', async () => {
  const user = startUserAgent();
  const cookies = await sessionCookies({ text: 'x' }, endsAt, { request, settings });
  await user.take(new Response(null, { headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]) }));
  const [value = ''] = user.cookies.values();
  expect(await readSessionCookie(user.request('/'), settings)).toBeDefined();
  user.cookies.set('__Host-auth-session', `9${value}`);
  expect(await readSessionCookie(user.request('/'), settings)).toBeUndefined();
});

it('empties the cookies that it removes, and no others', () => {
  const user = startUserAgent();
  for (const name of ['', '.1', '.3', '-sign-in-x']) user.cookies.set(`__Host-auth-session${name}`, 'x');
  const ended = '; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure';
  expect(endedSessionCookies(user.request('/'), settings)).toEqual([
    `__Host-auth-session=${ended}`,
    `__Host-auth-session.1=${ended}`,
  ]);
});

it('reads no session of which a part is missing', async () => {
  const user = startUserAgent();
  const cookies = await sessionCookies({ text: 'x'.repeat(5000) }, endsAt, { request, settings });
  await user.take(new Response(null, { headers: cookies.map((cookie): [string, string] => ['set-cookie', cookie]) }));
  user.cookies.delete('__Host-auth-session.1');
  expect(await readSessionCookie(user.request('/'), settings)).toBeUndefined();
});
