import { answerState } from './app-link.ts';
import { isReturnTo } from './redirect-url.ts';
import type { WebBrowserCompleteAuthSessionResult } from './result.ts';
import { answerKey, channelName, dropSession, listRecords } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import { storageError } from './storage-error.ts';

/** How {@link maybeCompleteAuthSession} looks for its session. */
export interface CompleteAuthSessionOptions {
  /** Accepts any page of this origin as the redirect page. Default: `false`. */
  skipRedirectCheck?: boolean | undefined;
}

// The page that opened the popup answers within a frame or two; it may be busy.
const ACKNOWLEDGE_MS = 3000;

/**
 * Hands the URL of this page to the page that opened the session, and closes this one. Call it on the page that the
 * redirect URL names, as early as possible.
 *
 * @returns `failed` with the reason when there is nothing to hand over, or the browser prevents it. It never throws.
 */
export function maybeCompleteAuthSession(
  options: CompleteAuthSessionOptions = {},
): WebBrowserCompleteAuthSessionResult {
  if (typeof window === 'undefined') return failed('There is no window here.');
  try {
    return complete(options);
  } catch (cause) {
    return failed(storageError(cause).message);
  }
}

function complete(options: CompleteAuthSessionOptions): WebBrowserCompleteAuthSessionResult {
  const { href } = location;
  const records = listRecords().filter(({ mode }) => mode === 'popup');
  const session = findSession(records, href, options.skipRedirectCheck ?? false);
  if (session?.isOver) {
    dropSession(session.handle);
    window.close();
    return failed(
      'The session that this page belongs to is over: it was cancelled or dismissed. Start again in the app.',
    );
  }
  if (session === undefined) {
    const underWay = records.filter(({ isOver }) => !isOver);
    return failed(
      underWay.length === 0
        ? 'No session of this origin is in progress.'
        : `${location.origin}${location.pathname} is not the redirect URL of a session in progress, or its state is missing or another's. ` +
            `The redirect URLs are: ${underWay.map(({ redirectUrl }) => redirectUrl).join(', ')}.`,
    );
  }
  publish(session.handle, href);
  return { type: 'success', message: 'The page that opened the session is being told.' };
}

/**
 * The session that a page comes back to, by its state, which errors have too (RFC 6749 section 4.1.2.1). Any site can
 * open a page without a state, so such a page only belongs to a session that was begun without one, if there is
 * exactly one.
 */
export function findSession(
  records: readonly SessionRecord[],
  href: string,
  skipRedirectCheck: boolean,
): SessionRecord | undefined {
  const state = answerState(href);
  const own = records.filter(
    (record) => record.state === state && (skipRedirectCheck || isReturnTo(record.redirectUrl, href)),
  );
  return state === null && own.length > 1 ? undefined : own[0];
}

// A Cross-Origin-Opener-Policy removes the opener, and a browser may lack the channel: all ways are used at once, and
// the opener accepts the first answer.
function publish(handle: string, url: string): void {
  const message = { type: 'answer', handle, url };
  const channel = new BroadcastChannel(channelName(handle));
  const key = answerKey(handle);
  // The opener may be gone, and the answer, which contains a code or a token, must not stay.
  const drop = (): void => dropSession(handle);
  const close = (): void => {
    clearTimeout(limit);
    channel.close();
    drop();
    window.close();
  };
  const limit = setTimeout(close, ACKNOWLEDGE_MS);
  channel.addEventListener('message', ({ data }) => {
    if ((data as { type?: unknown } | null)?.type === 'acknowledged') close();
  });
  window.addEventListener('storage', (event) => {
    if (event.key === key && event.newValue === null) close();
  });
  try {
    localStorage.setItem(key, url);
  } catch {
    // Storage is full. The other two ways deliver the answer.
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(message);
  (window.opener as Window | null)?.postMessage(message, location.origin);
  window.addEventListener('pagehide', drop);
}

/** A parameter of a return URL, in its query or its fragment. */
export function parameter(url: string, name: string): string | null {
  const { searchParams, hash } = new URL(url);
  return searchParams.get(name) ?? new URLSearchParams(hash.slice(1)).get(name);
}

function failed(message: string): WebBrowserCompleteAuthSessionResult {
  return { type: 'failed', message };
}
