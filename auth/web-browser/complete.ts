import { isReturnTo } from './redirect-url.ts';
import type { WebBrowserCompleteAuthSessionResult } from './result.ts';
import { answerKey, channelName, listRecords } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

/** How {@link maybeCompleteAuthSession} looks for its session. */
export interface CompleteAuthSessionOptions {
  /** Takes any page of this origin for the one that is returned to. Default: `false`. */
  skipRedirectCheck?: boolean | undefined;
}

// The page that opened the popup answers within a frame or two; it may be busy.
const ACKNOWLEDGE_MS = 3000;

/**
 * Hands the URL of this page to the page that opened the session, and closes this one. Call it on the page that the
 * redirect URL names, as early as possible.
 */
export function maybeCompleteAuthSession(
  options: CompleteAuthSessionOptions = {},
): WebBrowserCompleteAuthSessionResult {
  if (typeof window === 'undefined') return failed('There is no window here.');
  const { href } = location;
  const records = listRecords().filter(({ mode }) => mode === 'popup');
  const session = findSession(records, href, options.skipRedirectCheck ?? false);
  if (session === undefined) {
    return failed(
      records.length === 0
        ? 'No session of this origin is under way.'
        : `${location.origin}${location.pathname} is not the redirect URL of a session under way, or its state is another's. ` +
            `The redirect URLs are: ${records.map(({ redirectUrl }) => redirectUrl).join(', ')}.`,
    );
  }
  publish(session.handle, href);
  return { type: 'success', message: 'The page that opened the session is being told.' };
}

/** The session that a page is returned to of: by its state, or without one, the latest. */
export function findSession(
  records: readonly SessionRecord[],
  href: string,
  skipRedirectCheck: boolean,
): SessionRecord | undefined {
  const here = records.filter(({ redirectUrl }) => skipRedirectCheck || isReturnTo(redirectUrl, href));
  const state = parameter(href, 'state');
  if (state !== null) return here.find((record) => record.state === state);
  // A server that fails early may leave the state out.
  return here[0];
}

// A Cross-Origin-Opener-Policy takes the opener away, a browser may lack the channel: each way is used at once, and the
// opener takes the first answer.
function publish(handle: string, url: string): void {
  const message = { type: 'answer', handle, url };
  const channel = new BroadcastChannel(channelName(handle));
  const key = answerKey(handle);
  const close = (): void => {
    clearTimeout(limit);
    channel.close();
    window.close();
  };
  const limit = setTimeout(close, ACKNOWLEDGE_MS);
  channel.addEventListener('message', ({ data }) => {
    if ((data as { type?: unknown } | null)?.type === 'acknowledged') close();
  });
  window.addEventListener('storage', (event) => {
    if (event.key === key && event.newValue === null) close();
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(message);
  localStorage.setItem(key, url);
  (window.opener as Window | null)?.postMessage(message, location.origin);
}

/** A parameter of a return URL, in its query or its fragment. */
export function parameter(url: string, name: string): string | null {
  const { searchParams, hash } = new URL(url);
  return searchParams.get(name) ?? new URLSearchParams(hash.slice(1)).get(name);
}

function failed(message: string): WebBrowserCompleteAuthSessionResult {
  return { type: 'failed', message };
}
