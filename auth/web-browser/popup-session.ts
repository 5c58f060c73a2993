import { parseUrl } from './redirect-url.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';
import { answerKey, channelName, dropSession, keepRecord } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

/** The parameters of a popup session's wait. */
export interface PopupSession {
  popup: Window;
  record: SessionRecord;
  /** Each of them ends the wait. Not one from `AbortSignal.any`, which Safari before 17.4 does not have. */
  signals: AbortSignal[];
}

const POLL_MS = 250;
// A popup looks closed as soon as a Cross-Origin-Opener-Policy cuts it off, which any page of the provider may do. But
// this page has no focus while the user is there. So the popup counts as closed when this page has had the focus for
// this long without a break: enough for the answer to arrive, and less than a second including the poll before.
const CLOSED_GRACE_MS = 750;
// The same for a popup that was never seen at the provider while this page kept the focus: it was cut off, and opened
// where the user has not yet looked.
const UNSEEN_GRACE_MS = 10_000;

/** The reason of a signal that ends a session as one whose popup the user has closed. */
export const SUPERSEDED: unique symbol = Symbol('superseded');

/**
 * Waits until the popup has come back to the redirect URL, has been closed, or a signal is aborted. Then the popup is
 * closed and nothing of the session is left, except a note to a popup that cannot be closed from here.
 */
export async function waitForPopup({ popup, record, signals }: PopupSession): Promise<WebBrowserAuthSessionResult> {
  const over = new AbortController();
  const { handle } = record;
  const channel = new BroadcastChannel(channelName(handle));
  let result: WebBrowserAuthSessionResult | undefined;
  try {
    result = await new Promise<WebBrowserAuthSessionResult>((resolve) => {
      const answer = (url: unknown): void => {
        // Its path was compared there, unless the check is disabled.
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
      for (const signal of signals) {
        const dismiss = (): void => resolve({ type: signal.reason === SUPERSEDED ? 'cancel' : 'dismiss' });
        if (signal.aborted) dismiss();
        signal.addEventListener('abort', dismiss, listen);
      }
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
    if (popup.closed && result?.type !== 'success' && record.state !== null) keepNote({ ...record, isOver: true });
    popup.close();
  }
}

function keepNote(record: SessionRecord): void {
  try {
    keepRecord(record);
  } catch {
    // Storage is full. That page then says that it belongs to no session.
  }
}

function watchClosing(popup: Window, signal: AbortSignal, onClosed: () => void): void {
  let hasArrived = false;
  // Polls are counted, not time: none is made while the page or the machine sleeps.
  let pollsInFocus = 0;
  const timer = setInterval(() => {
    const isHere = document.visibilityState === 'visible' && document.hasFocus();
    hasArrived ||= !isHere || isAtProvider(popup);
    pollsInFocus = popup.closed && isHere ? pollsInFocus + 1 : 0;
    if (pollsInFocus * POLL_MS >= (hasArrived ? CLOSED_GRACE_MS : UNSEEN_GRACE_MS)) onClosed();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}

/** Whether a popup has left the empty page that it opens with. A closed or cut-off popup has no page. */
function isAtProvider(popup: Window): boolean {
  if (popup.closed) return false;
  try {
    return popup.location.href !== 'about:blank';
  } catch {
    // The page is of another origin.
    return true;
  }
}
