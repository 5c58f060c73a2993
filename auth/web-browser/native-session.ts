import { answerState, isSameRedirect } from './app-link.ts';
import { codedError } from './coded-error.ts';
import type { NativeBrowser, NativeBrowserResult } from './native-browser.ts';
import type { AuthSessionOpenOptions } from './options.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';

/** The functions of the device that a session needs. Each `on…` returns the function that removes the listener. */
export interface NativePlatform {
  onLink(listener: (url: string) => void): () => void;
  /** The link that the app was started with, or, on Android, that its activity was last opened with. */
  initialLink(): Promise<string | null>;
  onAppState(listener: (state: string) => void): () => void;
  appState(): string | null;
  startTimer(callback: () => void, milliseconds: number): () => void;
}

/** The parameters of a session. */
export interface NativeSession {
  url: string;
  redirectUrl: string;
  /** The `state` in the answer; null without one. */
  state: string | null;
  options: AuthSessionOpenOptions;
}

/** The sessions of an app: only one at a time is in progress. */
export interface NativeSessions {
  open(browser: NativeBrowser, session: NativeSession): Promise<WebBrowserAuthSessionResult>;
  dismiss(): void;
}

// Android makes an app active before it delivers the link that has opened it.
const GRACE_MS = 1500;

/** Creates the sessions of an app. A session that has ended leaves nothing behind. */
export function createNativeSessions(platform: NativePlatform): NativeSessions {
  let dismissCurrent: (() => void) | undefined;
  return {
    async open(browser, session) {
      if (dismissCurrent !== undefined) return { type: 'locked' };
      if (session.options.signal?.aborted) return { type: 'dismiss' };
      return new Promise((resolve, reject) => {
        let isOver = false;
        // Locks out other sessions from now on: a browser may call back before it has returned.
        dismissCurrent = () => undefined;
        // Synchronously: the next session may begin before the result of this one is delivered.
        const onEnd = (outcome: Outcome): void => {
          isOver = true;
          dismissCurrent = undefined;
          if (outcome instanceof Error) reject(outcome);
          else resolve(outcome);
        };
        try {
          const dismiss = waitForAnswer(platform, browser, { ...session, onEnd });
          if (!isOver) dismissCurrent = dismiss;
        } catch (error) {
          onEnd(cannotOpen(error));
        }
      });
    },
    dismiss: () => dismissCurrent?.(),
  };
}

type Outcome = WebBrowserAuthSessionResult | Error;

type Waiting = NativeSession & { onEnd: (outcome: Outcome) => void };

/** Opens the browser and tells once how that ended. @returns a function that ends it early. */
function waitForAnswer(platform: NativePlatform, browser: NativeBrowser, session: Waiting): () => void {
  const { graceMs = GRACE_MS, signal, timeoutMs } = session.options;
  const ending = createEnding(browser, session.onEnd);
  const dismiss = (): void => ending.end({ type: 'dismiss' });
  const takeLink = (link: string | null): void => {
    if (link !== null && isAnswer(session, link)) ending.end({ type: 'success', url: link });
  };
  const grace = createGrace(platform, { graceMs, ending, takeLink });

  ending.atEnd(platform.onLink(takeLink));
  ending.atEnd(platform.onAppState(grace.onAppState));
  if (timeoutMs) ending.atEnd(platform.startTimer(dismiss, timeoutMs));
  if (signal) {
    signal.addEventListener('abort', dismiss);
    ending.atEnd(() => signal.removeEventListener('abort', dismiss));
  }
  openIn(browser, session).then(
    (result) => {
      ending.isBrowserOpen = result.type === 'opened';
      if (result.type === 'success') ending.end(isAnswer(session, result.url) ? { ...result } : strange(session));
      else if (result.type === 'cancel' || result.type === 'dismiss') ending.end({ type: result.type });
      else grace.onlyALinkCanCome({ hasLeft: result.type === 'closed' });
    },
    (error: Error) => {
      ending.isBrowserOpen = false;
      ending.end(error);
    },
  );
  return dismiss;
}

/** The end of a session, which occurs once. */
interface Ending {
  isOver: boolean;
  /** Whether the end has to close the browser. */
  isBrowserOpen: boolean;
  end(outcome: Outcome): void;
  /** What is undone at the end, in this order. */
  atEnd(undo: () => void): void;
}

function createEnding(browser: NativeBrowser, onEnd: (outcome: Outcome) => void): Ending {
  const undos: (() => void)[] = [];
  const ending: Ending = {
    isOver: false,
    isBrowserOpen: true,
    end(outcome) {
      if (ending.isOver) return;
      ending.isOver = true;
      for (const undo of undos) undo();
      if (ending.isBrowserOpen) close(browser);
      onEnd(outcome);
    },
    atEnd: (undo) => void undos.push(undo),
  };
  return ending;
}

/** How long to wait for an answer when the user is back in the app. */
interface Grace {
  onAppState(appState: string): void;
  /** The browser will not report anything more. */
  onlyALinkCanCome(browser: { hasLeft: boolean }): void;
}

function createGrace(
  platform: NativePlatform,
  { graceMs, ending, takeLink }: { graceMs: number; ending: Ending; takeLink: (link: string | null) => void },
): Grace {
  let waitsForLink = false;
  let hasLeft = false;
  let isActive = platform.appState() === 'active';
  let stopTimer: (() => void) | undefined;
  const linkBefore = platform.initialLink().catch(() => null);
  ending.atEnd(() => stopTimer?.());

  // The user is back without an answer. It may be on its way, or the user only looks something up and will leave again.
  const start = (): void => {
    if (ending.isOver || !waitsForLink || !hasLeft || !isActive || stopTimer !== undefined) return;
    if (Number.isFinite(graceMs)) stopTimer = platform.startTimer(() => ending.end({ type: 'cancel' }), graceMs);
    readInitialLink();
  };
  // A re-created activity receives its link only this way, not as an event.
  const readInitialLink = (): void => {
    Promise.all([linkBefore, platform.initialLink()]).then(
      ([before, link]) => link !== before && takeLink(link),
      // Then the link can only come as an event.
      () => undefined,
    );
  };
  return {
    onAppState(appState) {
      isActive = appState === 'active';
      hasLeft ||= !isActive;
      if (!isActive) {
        stopTimer?.();
        stopTimer = undefined;
      }
      start();
    },
    onlyALinkCanCome(browser) {
      waitsForLink = true;
      hasLeft ||= browser.hasLeft;
      start();
    },
  };
}

// Any app and any page may open a link. Only a link with the state of this session ends it.
function isAnswer({ redirectUrl, state }: NativeSession, link: string): boolean {
  return isSameRedirect(redirectUrl, link) && answerState(link) === state;
}

async function openIn(
  browser: NativeBrowser,
  { url, redirectUrl, options }: NativeSession,
): Promise<NativeBrowserResult> {
  try {
    return await browser.open(url, { redirectUrl, options });
  } catch (cause) {
    throw cannotOpen(cause);
  }
}

/** The error if the browser did not open. */
export function cannotOpen(cause: unknown): Error & { code: string } {
  const text = `The browser could not be opened: ${String((cause as Error | null)?.message ?? cause)}`;
  return Object.assign(codedError('ERR_WEB_BROWSER_OPEN', text), { cause });
}

// The session has its outcome. If the browser cannot be closed, the user closes it.
function close(browser: NativeBrowser): void {
  try {
    Promise.resolve(browser.dismiss?.()).catch(() => undefined);
  } catch {
    // As above.
  }
}

// Without the URL, which may contain a code.
function strange({ redirectUrl }: NativeSession): Error {
  return codedError(
    'ERR_WEB_BROWSER_REDIRECT',
    `The browser has come back, but not to ${redirectUrl} with the state that was sent. The answer may be forged: start again.`,
  );
}
