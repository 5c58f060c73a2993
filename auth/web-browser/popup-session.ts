import { parseUrl } from './redirect-url.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';
import { answerKey, channelName, dropSession, keepRecord } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

/** What a popup session waits with. */
export interface PopupSession {
  popup: Window;
  record: SessionRecord;
  signal: AbortSignal;
}

// A popup looks closed from the moment on that a Cross-Origin-Opener-Policy cuts it off, and a later page of the provider may
// do so. So it is taken for closed only when the user is back on this page, and the answer has had its time to come.
const CLOSED_GRACE_MS = 1500;
const POLL_MS = 250;

/** The reason of a signal that ends a session as one whose popup the user has closed. */
export const SUPERSEDED: unique symbol = Symbol('superseded');

/**
 * Waits until the popup has come back to the redirect URL, has been closed, or the signal is aborted. Then the popup is
 * closed and nothing of the session is left, but for a note to a popup that cannot be closed from here.
 */
export async function waitForPopup({ popup, record, signal }: PopupSession): Promise<WebBrowserAuthSessionResult> {
  const over = new AbortController();
  const { handle } = record;
  const channel = new BroadcastChannel(channelName(handle));
  let result: WebBrowserAuthSessionResult | undefined;
  try {
    result = await new Promise<WebBrowserAuthSessionResult>((resolve) => {
      const answer = (url: unknown): void => {
        // Its path was compared there, unless that is not wanted.
        if (typeof url === 'string' && parseUrl(url)?.origin === location.origin) resolve({ type: 'success', url });
      };
      const read = (data: unknown): void => {
        const message = data as { type?: unknown; handle?: unknown; url?: unknown } | null;
        if (message?.type === 'answer' && message.handle === handle) answer(message.url);
      };
      const listen = { signal: over.signal };
      channel.addEventListener('message', ({ data }) => read(data), listen);
      window.addEventListener(
        'message',
        ({ data, isTrusted, origin }) => {
          if (isTrusted && origin === location.origin) read(data);
        },
        listen,
      );
      window.addEventListener(
        'storage',
        ({ key, newValue }) => {
          if (key === answerKey(handle)) answer(newValue);
        },
        listen,
      );
      const dismiss = (): void => resolve({ type: signal.reason === SUPERSEDED ? 'cancel' : 'dismiss' });
      if (signal.aborted) dismiss();
      signal.addEventListener('abort', dismiss, listen);
      watchClosing(popup, over.signal, () => resolve({ type: 'cancel' }));
    });
    return result;
  } finally {
    over.abort();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage({ type: 'acknowledged' });
    channel.close();
    dropSession(handle);
    // Closed, or only cut off. Then the user may still finish there, and that page must know.
    if (popup.closed && result?.type !== 'success' && record.state !== null) keepRecord({ ...record, isOver: true });
    popup.close();
  }
}

function watchClosing(popup: Window, signal: AbortSignal, onClosed: () => void): void {
  let closedSince: number | null = null;
  let hasArrived = false;
  const timer = setInterval(() => {
    hasArrived ||= isAtProvider(popup);
    // Cut off before its first page: `closed` says nothing from then on.
    if (!hasArrived) return;
    const isBack = popup.closed && document.visibilityState === 'visible' && document.hasFocus();
    if (!isBack) closedSince = null;
    else closedSince ??= performance.now();
    if (closedSince !== null && performance.now() - closedSince >= CLOSED_GRACE_MS) onClosed();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Whether a popup has left the empty page that it opens with. One that is closed or cut off has none. */
function isAtProvider(popup: Window): boolean {
  if (popup.closed) return false;
  try {
    return popup.location.href !== 'about:blank';
  } catch {
    // The page of another origin.
    return true;
  }
}
