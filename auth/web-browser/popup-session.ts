import { isReturnTo } from './redirect-url.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';
import { answerKey, channelName, dropSession } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';

/** What a popup session waits with. */
export interface PopupSession {
  popup: Window;
  record: SessionRecord;
  signal: AbortSignal;
}

// Popups of other sites look closed from the moment on that a Cross-Origin-Opener-Policy cuts them off. So this alone says
// little: the user must be back on this page, and the answer, if there is one, must have had its time to come.
const CLOSED_GRACE_MS = 1500;
const POLL_MS = 250;

/**
 * Waits until the popup has come back to the redirect URL, has been closed, or the signal is aborted. Then the popup is
 * closed and nothing of the session is left.
 */
export async function waitForPopup({ popup, record, signal }: PopupSession): Promise<WebBrowserAuthSessionResult> {
  const over = new AbortController();
  const { handle, redirectUrl } = record;
  const channel = new BroadcastChannel(channelName(handle));
  try {
    return await new Promise<WebBrowserAuthSessionResult>((resolve) => {
      const answer = (url: unknown): void => {
        if (typeof url === 'string' && isReturnTo(redirectUrl, url)) resolve({ type: 'success', url });
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
      const dismiss = (): void => resolve({ type: 'dismiss' });
      if (signal.aborted) dismiss();
      signal.addEventListener('abort', dismiss, listen);
      watchClosing(popup, over.signal, () => resolve({ type: 'cancel' }));
    });
  } finally {
    over.abort();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage({ type: 'acknowledged' });
    channel.close();
    dropSession(handle);
    popup.close();
  }
}

function watchClosing(popup: Window, signal: AbortSignal, onClosed: () => void): void {
  let closedSince: number | null = null;
  const timer = setInterval(() => {
    const isBack = popup.closed && document.visibilityState === 'visible' && document.hasFocus();
    if (!isBack) closedSince = null;
    else closedSince ??= performance.now();
    if (closedSince !== null && performance.now() - closedSince >= CLOSED_GRACE_MS) onClosed();
  }, POLL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
}
