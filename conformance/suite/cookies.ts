import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { signalled, uniqueId } from '../generic/signals.ts';

behaviour("adds cookies of setResponseHeaders to the route's own", 'B5', async (host) => {
  const response = await host.send({ path: '/headers/callback' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'token=123; Secure']);
});

behaviour('keeps cookies given as a list apart', 'B5', async (host) => {
  const response = await host.send({ path: '/headers/list' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'a=1', 'b=2']);
});

behaviour('keeps cookies given as Headers apart', 'B5, adapters.md case 91', async (host) => {
  const response = await host.send({ path: '/headers/headers' });
  expect(response.values('set-cookie')).toEqual(['own=1', 'a=1', 'b=2']);
});

behaviour('adds cookies to a StatusError', 'B5, adapters.md case 91', async (host) => {
  const response = await host.send({ path: '/headers/status-error' });
  expect(response.status).toBe(418);
  expect(response.values('set-cookie')).toEqual(['a=1', 'b=2']);
});

behaviour('adds cookies to a redirect', 'B5, adapters.md case 12', async (host) => {
  const response = await host.send({ method: 'POST', path: '/response/redirect/303' });
  expect(response.status).toBe(303);
  expect(response.values('set-cookie')).toEqual(['a=1', 'b=2']);
});

behaviour("adds the middleware's cookies to the route's", 'B5', async (host) => {
  const response = await host.send({ path: '/middleware?middleware=cookies' });
  expect(response.values('set-cookie').toSorted()).toEqual(['m=1', 'r=1']);
});

const helper = 'issue 24, cookies';

/** Takes steps with `cookies()` in one request. */
async function take(
  host: Host,
  steps: readonly (readonly unknown[])[],
  headers: Record<string, string> = {},
): Promise<{ results: unknown[]; scheme: string; set: string[] }> {
  const response = await host.fetch('/cookies/steps', { method: 'POST', body: JSON.stringify(steps), headers });
  const { results, scheme } = (await response.json()) as { results: unknown[]; scheme: string };
  return { results, scheme, set: response.headers.getSetCookie() };
}

behaviour('reads the cookies of a request, decoded', helper, async (host) => {
  const { results } = await take(host, [['get', 'a'], ['get', 'b'], ['has', 'c'], ['get', '__proto__'], ['getAll']], {
    cookie: 'a=caf%C3%A9; b="x"; a=2; d=50%',
  });
  expect(results).toEqual([
    'café',
    '"x"',
    false,
    null,
    [
      { name: 'a', value: 'café' },
      { name: 'b', value: '"x"' },
      { name: 'd', value: '50%' },
    ],
  ]);
});

behaviour('sets a cookie that scripts, other sites and http do not get', `${helper}, RFC 6265bis`, async (host) => {
  const { set, scheme } = await take(host, [['set', 'a', '1']]);
  expect(set).toEqual([`a=1; Path=/; HttpOnly; ${scheme === 'https:' ? 'Secure; ' : ''}SameSite=Lax`]);
});

behaviour(
  'sets a cookie as Secure if a trusted proxy says https',
  { source: helper, needs: 'trustProxy' },
  async (host) => {
    const server = await host.configured({ options: { trustProxy: true } });
    const { set } = await take(server, [['set', '__Host-a', '1']], { 'x-forwarded-proto': 'https' });
    expect(set).toEqual(['__Host-a=1; Path=/; HttpOnly; Secure; SameSite=Lax']);
  },
);

behaviour('does not take https from a client for a cookie', { source: helper, needs: 'trustProxy' }, async (host) => {
  const { protocol } = new URL(host.origin);
  const isSecure = protocol === 'https:';
  // The opposite of the connection's scheme.
  const other = isSecure ? 'http' : 'https';
  const headers = { 'x-forwarded-proto': other, forwarded: `proto=${other}`, origin: `${other}://app.example` };
  const { set, scheme } = await take(host, [['set', 'a', '1']], headers);
  expect([scheme, set]).toEqual([protocol, [`a=1; Path=/; HttpOnly; ${isSecure ? 'Secure; ' : ''}SameSite=Lax`]]);
});

behaviour('gives any text back as the value of a cookie', helper, async (host) => {
  const value = ' "a"; b=c, 100% \\ \u0000\u007f é 漢 😀\n+ ';
  const { set } = await take(host, [['set', 'a', value]]);
  const { results } = await take(host, [['get', 'a']], { cookie: set[0]?.split(';')[0] ?? '' });
  expect(results).toEqual([value]);
});

behaviour('gives a cookie that the same request has set or deleted', helper, async (host) => {
  const steps = [['set', 'a', '2'], ['get', 'a'], ['delete', 'a'], ['get', 'a'], ['has', 'a'], ['getAll']];
  const { results } = await take(host, steps, { cookie: 'a=1; b=1' });
  expect(results).toEqual([null, '2', null, null, false, [{ name: 'b', value: '1' }]]);
});

behaviour('sends the last of two cookies with one name', `${helper}, RFC 6265 section 4.1.1`, async (host) => {
  const { set } = await take(host, [
    ['set', 'a', '1'],
    ['set', 'b', '2'],
    ['set', 'a', '3'],
  ]);
  expect(set.map((cookie) => cookie.split(';')[0])).toEqual(['b=2', 'a=3']);
});

behaviour('refuses a cookie that browsers would ignore', `${helper}, RFC 6265bis section 5.7`, async (host) => {
  const { results, set } = await take(host, [
    ['set', 'a b', '1'],
    ['set', '__Host-a', '1', { path: '/shop' }],
    ['set', 'a', '1', { sameSite: 'none', secure: false }],
    ['set', 'a', 'x'.repeat(4096)],
  ]);
  expect(results).toEqual(Array.from({ length: 4 }, () => 'ERR_COOKIE_INVALID'));
  expect(set).toEqual([]);
});

behaviour('sends a cookie with an error', helper, async (host) => {
  const response = await host.fetch('/cookies/steps', { method: 'PUT' });
  expect(response.status).toBe(409);
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^failed=yes; /)]);
});

behaviour('reads cookies in a deferred task, which is too late to set one', helper, async (host) => {
  const id = uniqueId();
  const response = await host.fetch(`/cookies/steps?id=${id}`, { method: 'DELETE', headers: { cookie: 'a=1' } });
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(await signalled(host, `${id}-late`)).toBe('1 ERR_RESPONSE_SENT');
});

behaviour('shows the route a cookie that middleware has set', helper, async (host) => {
  const response = await host.fetch('/middleware/jar?middleware=jar', { headers: { cookie: 'a=1; jar=old' } });
  expect(await response.json()).toEqual([
    { name: 'a', value: '1' },
    { name: 'jar', value: 'from middleware' },
  ]);
  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^jar=from%20middleware; /)]);
});

behaviour('reads and sets cookies in the loader of a page', helper, async (host) => {
  for (const more of ['', '?_appkit_data']) {
    const response = await host.fetch(`/site/data/cookies${more}`, { headers: { cookie: 'theme=dark' } });
    expect(await response.text()).toContain('dark');
    expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^seen=dark; /)]);
  }
});

behaviour('sets a cookie in the action of a page, which its loader sees', helper, async (host) => {
  const response = await host.fetch('/site/data/cookies', {
    method: 'POST',
    body: new URLSearchParams({ theme: 'light' }),
    headers: { origin: host.origin, cookie: 'theme=dark' },
  });
  expect(await response.text()).toContain('theme from the action');
  expect(response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])).toEqual([
    'theme=from%20the%20action',
    'seen=from%20the%20action',
  ]);
});
