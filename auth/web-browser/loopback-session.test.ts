import { connect } from 'node:net';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import {
  dismissAuthSession,
  getLoopbackRedirectUrl,
  getRedirectResult,
  maybeCompleteAuthSession,
  openAuthSessionAsync,
  openBrowserAsync,
} from './index.node.ts';
import type { AuthSessionOpenOptions, WebBrowserAuthSessionResult } from './types.ts';

const state = 'the state';

function authUrl(redirectUrl: string, params: Record<string, string> = { state }): string {
  return `https://provider.example/authorize?${new URLSearchParams({ redirect_uri: redirectUrl, ...params })}`;
}

/** A process that is given the URL, as a browser is, with the function `go` that visits a path of the redirect URL. */
function browser(script: string): string[] {
  const go = `
    const redirect = new URL(process.argv[1]).searchParams.get('redirect_uri');
    const go = (path, init) => fetch(new URL(path, redirect), init).then((response) => response.status);
  `;
  return [process.execPath, '--input-type=module', '-e', go + script];
}

const answers = browser(`await go('/callback?code=c&state=the+state');`);
const idle = browser('');

/** Visits the session that waits there. */
async function visit(redirectUrl: string, path: string, init?: RequestInit): Promise<number> {
  return (await fetch(new URL(path, redirectUrl), init)).status;
}

/** Waits until something listens there. */
async function listening(redirectUrl: string): Promise<void> {
  await expect.poll(() => visit(redirectUrl, '/').catch(() => 0), { interval: 10 }).toBe(404);
}

/** Whether something listens there. */
async function isListening(redirectUrl: string): Promise<boolean> {
  const { hostname, port } = new URL(redirectUrl);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''));
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((answer) => {
    socket.destroy();
    return answer as boolean;
  });
}

/** A session that waits, and where. */
async function waiting(
  options: AuthSessionOpenOptions = {},
): Promise<{ redirectUrl: string; result: Promise<WebBrowserAuthSessionResult> }> {
  const redirectUrl = await getLoopbackRedirectUrl();
  const result = openAuthSessionAsync(authUrl(redirectUrl), null, { browserCommand: idle, ...options });
  result.catch(() => {});
  await listening(redirectUrl);
  return { redirectUrl, result };
}

it('gives the URL that the browser came back to, and stops listening', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  expect(redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  const result = await openAuthSessionAsync(authUrl(redirectUrl), redirectUrl, { browserCommand: answers });
  expect(result).toEqual({ type: 'success', url: `${redirectUrl}?code=c&state=the+state` });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('takes the port again for the next session', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  for (const _ of [1, 2]) {
    const result = await openAuthSessionAsync(authUrl(redirectUrl), null, { browserCommand: answers });
    expect(result).toMatchObject({ type: 'success' });
  }
});

it('listens on the loopback of IPv6', async ({ skip }) => {
  const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  );
  if (!hasIpv6) skip('This machine has no ::1.');
  const redirectUrl = (await getLoopbackRedirectUrl()).replace('127.0.0.1', '[::1]');
  const result = await openAuthSessionAsync(authUrl(redirectUrl), null, { browserCommand: answers });
  expect(result).toEqual({ type: 'success', url: `${redirectUrl}?code=c&state=the+state` });
  expect(await isListening(redirectUrl)).toBe(false);
});

it.each([
  ['another path', '/elsewhere?code=c&state=the+state', {}],
  ['a path below', '/callback/?code=c&state=the+state', {}],
  ['the icon', '/favicon.ico', {}],
  ['the redirect URL alone', '/callback', {}],
  ['no state (RFC 6749 section 4.1.2)', '/callback?code=forged', {}],
  ['an error without a state', '/callback?error=access_denied', {}],
  ['the state of another request', '/callback?code=forged&state=guessed', {}],
  ['a POST', '/callback?code=c&state=the+state', { method: 'POST' }],
])('answers 404 to %s, and goes on waiting', async (_, path, init) => {
  const { redirectUrl, result } = await waiting();
  expect(await visit(redirectUrl, path, init)).toBe(404);
  expect(await visit(redirectUrl, '/callback?code=c&state=the+state')).toBe(200);
  expect(await result).toEqual({ type: 'success', url: `${redirectUrl}?code=c&state=the+state` });
});

it('survives a request line that is not a URL of its own', async () => {
  const { redirectUrl, result } = await waiting();
  for (const target of ['//elsewhere.example/callback?code=c&state=the+state', 'http://[/callback', '*']) {
    const socket = connect(Number(new URL(redirectUrl).port), '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
    const [head] = (await socket.toArray()).map(String);
    expect(head).toMatch(/^HTTP\/1\.1 40[04] /);
  }
  dismissAuthSession();
  expect(await result).toEqual({ type: 'dismiss' });
});

it('takes the state from the options when the URL does not show it', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const result = openAuthSessionAsync(authUrl(redirectUrl, {}), null, { state, browserCommand: idle });
  await listening(redirectUrl);
  expect(await visit(redirectUrl, '/callback?code=forged')).toBe(404);
  expect(await visit(redirectUrl, '/callback?code=c&state=the+state')).toBe(200);
  expect(await result).toMatchObject({ type: 'success' });
});

it('is not kept by a connection that is not used', async () => {
  const { redirectUrl, result } = await waiting();
  const socket = connect(Number(new URL(redirectUrl).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.resume().once('close', resolve));
  await visit(redirectUrl, '/callback?code=c&state=the+state');
  expect(await result).toMatchObject({ type: 'success' });
  await closed;
});

it('ends as dismiss when the tool says so, and can begin again', async () => {
  const { redirectUrl, result } = await waiting();
  dismissAuthSession();
  expect(await result).toEqual({ type: 'dismiss' });
  expect(await isListening(redirectUrl)).toBe(false);
  const next = await waiting();
  await visit(next.redirectUrl, '/callback?code=c&state=the+state');
  expect(await next.result).toMatchObject({ type: 'success' });
});

it('ends as dismiss when its signal is aborted', async () => {
  const controller = new AbortController();
  const { redirectUrl, result } = await waiting({ signal: controller.signal });
  controller.abort();
  expect(await result).toEqual({ type: 'dismiss' });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('opens no browser and listens nowhere when its signal is aborted before', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const options = { signal: AbortSignal.abort(), browserCommand: ['there-is-no-such-browser'] };
  expect(await openAuthSessionAsync(authUrl(redirectUrl), null, options)).toEqual({ type: 'dismiss' });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('ends as dismiss after its time', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const options = { browserCommand: idle, timeoutMs: 50 };
  expect(await openAuthSessionAsync(authUrl(redirectUrl), null, options)).toEqual({ type: 'dismiss' });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('is locked while a session is under way', async () => {
  const { redirectUrl, result } = await waiting();
  expect(await openAuthSessionAsync(authUrl(redirectUrl))).toEqual({ type: 'locked' });
  await visit(redirectUrl, '/callback?code=c&state=the+state');
  expect(await result).toMatchObject({ type: 'success' });
});

it('says that the port is taken, and opens no browser', async () => {
  const other = createServer();
  const redirectUrl = await getLoopbackRedirectUrl();
  await new Promise<void>((resolve) => {
    other.listen(Number(new URL(redirectUrl).port), '127.0.0.1', resolve);
  });
  onTestFinished(() => void other.close());
  const options = { browserCommand: ['there-is-no-such-browser'] };
  await expect(openAuthSessionAsync(authUrl(redirectUrl), null, options)).rejects.toMatchObject({
    code: 'ERR_WEB_BROWSER_REDIRECT',
    message: expect.stringContaining('EADDRINUSE'),
  });
});

it('says that there is no such browser, and stops listening', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const options = { browserCommand: ['there-is-no-such-browser'] };
  await expect(openAuthSessionAsync(authUrl(redirectUrl), null, options)).rejects.toMatchObject({
    code: 'ERR_WEB_BROWSER_OPEN',
    message: expect.stringContaining('there-is-no-such-browser'),
  });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('says that the program has found no browser, whenever it ends, and stops listening', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  // As xdg-open does, which first looks for one.
  const browserCommand = browser(`await go('/'); process.exit(3);`);
  await expect(openAuthSessionAsync(authUrl(redirectUrl), null, { browserCommand })).rejects.toMatchObject({
    code: 'ERR_WEB_BROWSER_OPEN',
    message: expect.stringContaining('it ended with 3'),
  });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('takes the answer of a program that has failed afterwards', async () => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const browserCommand = browser(`await go('/callback?code=c&state=the+state'); process.exit(3);`);
  const result = await openAuthSessionAsync(authUrl(redirectUrl), null, { browserCommand });
  expect(result).toMatchObject({ type: 'success' });
});

it.each([
  ['localhost, which another may answer for (RFC 8252 section 8.3)', 'http://localhost:4000/callback'],
  ['another machine', 'http://192.168.0.1:4000/callback'],
  ['https', 'https://127.0.0.1:4000/callback'],
  ['no port', 'http://127.0.0.1/callback'],
  ['no URL', 'callback'],
])('refuses a redirect URL of %s', async (_, redirectUrl) => {
  await expect(openAuthSessionAsync(authUrl(redirectUrl))).rejects.toMatchObject({ code: 'ERR_WEB_BROWSER_REDIRECT' });
});

it.each(['file:///etc/passwd', 'javascript:alert(1)', '--new-window'])('opens no %s in a browser', async (url) => {
  const error = { code: 'ERR_WEB_BROWSER_OPEN' };
  await expect(openBrowserAsync(url, { browserCommand: idle })).rejects.toMatchObject(error);
  const redirectUrl = await getLoopbackRedirectUrl();
  await expect(openAuthSessionAsync(url, redirectUrl, { browserCommand: idle })).rejects.toMatchObject(error);
  expect(await isListening(redirectUrl)).toBe(false);
});

it.each([
  ['timeoutMs', -1],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', 2 ** 31],
  ['state', ''],
])('opens nothing with a %s of %s', async (name, value) => {
  const redirectUrl = await getLoopbackRedirectUrl();
  const options = { browserCommand: idle, [name]: value };
  await expect(openAuthSessionAsync(authUrl(redirectUrl), null, options)).rejects.toMatchObject({
    name: 'TypeError',
    code: 'ERR_WEB_BROWSER_ARGUMENT',
  });
  expect(await isListening(redirectUrl)).toBe(false);
});

it('has nothing to complete, and no result of a redirect', () => {
  expect(maybeCompleteAuthSession()).toMatchObject({ type: 'failed' });
  expect(getRedirectResult()).toBe(null);
});
