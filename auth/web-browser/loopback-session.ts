import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerState } from './app-link.ts';
import { assertOptions, assertPage } from './assert-options.ts';
import { codedError } from './coded-error.ts';
import type { AuthSessionOpenOptions, WebBrowserOpenOptions } from './options.ts';
import { parseUrl } from './redirect-url.ts';
import type { WebBrowserAuthSessionResult, WebBrowserResult } from './result.ts';
import { openSystemBrowser } from './system-browser.ts';

let current: AbortController | undefined;

/**
 * Opens a page in the system's browser for the user to sign in, and returns the URL that it came back to. For
 * command-line tools: this process listens at the redirect URL until the browser arrives there.
 *
 * @param url – the page to open.
 * @param redirectUrl – `http://127.0.0.1:<port>/<path>` or `[::1]`. Default: the `redirect_uri` in the URL.
 * @throws Error with code `ERR_WEB_BROWSER_REDIRECT` for a redirect URL that is not of this machine or whose port is taken;
 *   with `ERR_WEB_BROWSER_OPEN` when no browser can be started, or the program that opens it ends with another code than 0.
 * @see RFC 8252 sections 7.3 and 8.9
 */
export async function openAuthSessionAsync(
  url: string,
  redirectUrl?: string | null,
  options: AuthSessionOpenOptions = {},
): Promise<WebBrowserAuthSessionResult> {
  assertPage(url);
  assertOptions(options);
  if (current !== undefined) return { type: 'locked' };
  const session = new AbortController();
  current = session;
  try {
    const redirect = toLoopback(redirectUrl ?? new URL(url).searchParams.get('redirect_uri'));
    return await listenFor(redirect, url, { ...options, signal: toSignal(session.signal, options) });
  } finally {
    current = undefined;
  }
}

/** Ends the session in progress, if any, as `dismiss`. */
export function dismissAuthSession(): void {
  current?.abort();
}

/** Opens a page in the system's browser. */
export async function openBrowserAsync(url: string, options: WebBrowserOpenOptions = {}): Promise<WebBrowserResult> {
  await openSystemBrowser(url, { command: options.browserCommand });
  return { type: 'opened' };
}

/**
 * Returns a redirect URL of this machine whose port is currently free, to be registered as `http://127.0.0.1/<path>`.
 */
export async function getLoopbackRedirectUrl(path: string = '/callback'): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}${path}`;
}

type Waiting = AuthSessionOpenOptions & { signal: AbortSignal };

async function listenFor(redirect: URL, url: string, options: Waiting): Promise<WebBrowserAuthSessionResult> {
  const { signal } = options;
  const state = options.state ?? new URL(url).searchParams.get('state');
  const server = createServer();
  try {
    await listen(server, redirect);
    if (signal.aborted) return { type: 'dismiss' };
    return await new Promise<WebBrowserAuthSessionResult>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve({ type: 'dismiss' }));
      server.on('request', (request, response) => {
        const arrived = parseUrl(request.url ?? '', redirect.origin);
        const isAnswer = arrived !== null && request.method === 'GET' && isAnswerTo(redirect, state, arrived);
        response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
        // After the browser has received its page: the process may end then.
        if (isAnswer) response.once('close', () => resolve({ type: 'success', url: arrived.href }));
        response.end(isAnswer ? RETURNED : '<!doctype html><title>Not found</title>');
      });
      openSystemBrowser(url, { command: options.browserCommand, onFailed: reject }).catch(reject);
    });
  } finally {
    server.close();
    // A browser may keep unused connections open, which would keep the process alive.
    server.closeAllConnections();
  }
}

const RETURNED = '<!doctype html><title>Done</title><p>You can close this window and go back to the terminal.';

async function listen(server: Server, redirect: URL): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(unusable(redirect.href, error.message)));
    server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|\]$/g, ''), resolve);
  });
}

// Any page that the user has open may send requests here. Without the state, they cannot end the session.
function isAnswerTo(redirect: URL, state: string | null, arrived: URL): boolean {
  // A request line may name another host, which the URL then contains.
  if (arrived.origin !== redirect.origin || arrived.pathname !== redirect.pathname) return false;
  return state === null ? arrived.search !== '' : answerState(arrived.href) === state;
}

function toSignal(session: AbortSignal, { signal, timeoutMs }: AuthSessionOpenOptions): AbortSignal {
  return AbortSignal.any([
    session,
    ...(signal ? [signal] : []),
    ...(timeoutMs ? [AbortSignal.timeout(timeoutMs)] : []),
  ]);
}

// Not localhost, which a host file or another interface may answer for (RFC 8252 section 8.3).
function toLoopback(redirectUrl: string | null): URL {
  const redirect = parseUrl(redirectUrl ?? '');
  const isLoopback = redirect?.protocol === 'http:' && /^(?:127(?:\.\d+){3}|\[::1\])$/.test(redirect.hostname);
  if (redirect && isLoopback && redirect.port !== '') return redirect;
  throw unusable(
    redirectUrl ?? 'missing',
    'it must be http://127.0.0.1:<port>/<path>, as getLoopbackRedirectUrl() gives it',
  );
}

function unusable(redirectUrl: string, why: string): Error {
  return codedError('ERR_WEB_BROWSER_REDIRECT', `The redirect URL ${redirectUrl} cannot be listened at: ${why}.`);
}
