import { isSameRedirect, linkParameter } from './app-link.ts';
import { codedError } from './coded-error.ts';
import type { NativeBrowser, NativeBrowserResult } from './native-browser.ts';
import type { AuthSessionOpenOptions } from './options.ts';
import type { WebBrowserAuthSessionResult } from './result.ts';

/** What a session needs of the device. Each `on…` gives the function that ends it. */
export interface NativePlatform {
  onLink(listener: (url: string) => void): () => void;
  /** The link that the app was started with, or, on Android, that its activity was last opened with. */
  initialLink(): Promise<string | null>;
  onAppState(listener: (state: string) => void): () => void;
  appState(): string | null;
  startTimer(callback: () => void, milliseconds: number): () => void;
}

/** What a session is opened with. */
export interface NativeSession {
  url: string;
  redirectUrl: string;
  /** The `state` that the answer carries; null when it has none. */
  state: string | null;
  options: AuthSessionOpenOptions;
}

/** The sessions of an app, of which one at a time is under way. */
export interface NativeSessions {
  open(browser: NativeBrowser, session: NativeSession): Promise<WebBrowserAuthSessionResult>;
  dismiss(): void;
}

// Android makes an app active before it hands on the link that has opened it.
const GRACE_MS = 1500;

/** Makes the sessions of an app. Nothing of a session is left when it has ended. */
export function createNativeSessions(platform: NativePlatform): NativeSessions {
  let dismissCurrent: (() => void) | undefined;
  return {
    async open(browser, session) {
      if (dismissCurrent !== undefined) return { type: 'locked' };
      if (session.options.signal?.aborted) return { type: 'dismiss' };
      return new Promise((resolve, reject) => {
        let isOver = false;
        // Another session is kept out from now on: a browser may call back before it has returned.
        dismissCurrent = () => undefined;
        // At once: the next session may begin before anyone hears of this one.
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

/** Opens the browser and tells once how that ended. @returns what ends it before. */
function waitForAnswer(
  platform: NativePlatform,
  browser: NativeBrowser,
  { url, redirectUrl, state, options, onEnd }: NativeSession & { onEnd: (outcome: Outcome) => void },
): () => void {
  const { graceMs = GRACE_MS, signal, timeoutMs } = options;
  const cleanUp: (() => void)[] = [];
  let isOver = false;
  // Whether the browser will say no more, so that only a link can.
  let waitsForLink = false;
  let isBrowserOpen = true;
  let hasLeft = false;
  let isActive = platform.appState() === 'active';
  let stopGrace: (() => void) | undefined;

  const end = (outcome: Outcome): void => {
    if (isOver) return;
    isOver = true;
    stopGrace?.();
    for (const undo of cleanUp) undo();
    if (isBrowserOpen) close(browser);
    onEnd(outcome);
  };
  const dismiss = (): void => end({ type: 'dismiss' });
  // Any app and any page may open a link. Only one with the state of this session ends it.
  const isAnswer = (link: string): boolean =>
    isSameRedirect(redirectUrl, link) && linkParameter(link, 'state') === state;
  const takeLink = (link: string | null): void => {
    if (link !== null && isAnswer(link)) end({ type: 'success', url: link });
  };
  // The user is back without an answer. That may be on its way, or they only look something up: then they leave again.
  const startGrace = (): void => {
    if (isOver || !waitsForLink || !hasLeft || !isActive || stopGrace !== undefined) return;
    if (Number.isFinite(graceMs)) stopGrace = platform.startTimer(() => end({ type: 'cancel' }), graceMs);
    readInitialLink();
  };
  // An activity that was made anew gets its link only so, and not as an event.
  const readInitialLink = (): void => {
    Promise.all([before, platform.initialLink()]).then(
      ([old, link]) => link !== old && takeLink(link),
      // Then the link can only come as an event.
      () => undefined,
    );
  };
  const before = platform.initialLink().catch(() => null);
  const onAppState = (appState: string): void => {
    isActive = appState === 'active';
    hasLeft ||= !isActive;
    if (!isActive) {
      stopGrace?.();
      stopGrace = undefined;
    }
    startGrace();
  };
  const onBrowser = (result: NativeBrowserResult): void => {
    isBrowserOpen = result.type === 'opened';
    if (result.type === 'success') end(isAnswer(result.url) ? { ...result } : strange(redirectUrl));
    else if (result.type === 'cancel' || result.type === 'dismiss') end({ type: result.type });
    else {
      waitsForLink = true;
      hasLeft ||= result.type === 'closed';
      startGrace();
    }
  };

  cleanUp.push(platform.onLink(takeLink));
  cleanUp.push(platform.onAppState(onAppState));
  if (timeoutMs) cleanUp.push(platform.startTimer(dismiss, timeoutMs));
  if (signal) {
    signal.addEventListener('abort', dismiss);
    cleanUp.push(() => signal.removeEventListener('abort', dismiss));
  }
  openIn(browser, { url, redirectUrl, options }).then(onBrowser, (error: Error) => {
    isBrowserOpen = false;
    end(error);
  });
  return dismiss;
}

async function openIn(
  browser: NativeBrowser,
  { url, redirectUrl, options }: Omit<NativeSession, 'state'>,
): Promise<NativeBrowserResult> {
  try {
    return await browser.open(url, { redirectUrl, options });
  } catch (cause) {
    throw cannotOpen(cause);
  }
}

/** The error of a browser that has not opened. */
export function cannotOpen(cause: unknown): Error & { code: string } {
  const text = `The browser could not be opened: ${String((cause as Error | null)?.message ?? cause)}`;
  return Object.assign(codedError('ERR_WEB_BROWSER_OPEN', text), { cause });
}

// The session has its outcome. A browser that cannot be closed is the user's to close.
function close(browser: NativeBrowser): void {
  try {
    Promise.resolve(browser.dismiss?.()).catch(() => undefined);
  } catch {
    // As above.
  }
}

// Without the URL, which may hold a code.
function strange(redirectUrl: string): Error {
  return codedError(
    'ERR_WEB_BROWSER_REDIRECT',
    `The browser has come back, but not to ${redirectUrl} with the state that was sent. The answer may be forged: begin anew.`,
  );
}
