import { randomUUID } from 'appkit-crypto';
import { assertOptions, assertPage } from './assert-options.ts';
import { codedError } from './coded-error.ts';
import { findSession, parameter } from './complete.ts';
import type { AuthSessionOpenOptions, WebBrowserOpenOptions } from './options.ts';
import { toFeatures } from './popup-features.ts';
import { SUPERSEDED, waitForPopup } from './popup-session.ts';
import { parseUrl } from './redirect-url.ts';
import type { WebBrowserAuthSessionResult, WebBrowserRedirectResult, WebBrowserResult } from './result.ts';
import { dropSession, keepRecord, listRecords } from './session-record.ts';
import type { SessionRecord } from './session-record.ts';
import { storageError } from './storage-error.ts';

let current: { popup: Window; session: AbortController } | undefined;

/**
 * Opens a page for the user to sign in, and returns the URL that it came back to.
 *
 * Call it in the click itself: a browser blocks popups that open later.
 *
 * @param url – the page to open.
 * @param redirectUrl – the page of this origin it comes back to, which calls `maybeCompleteAuthSession()`. Default: the
 *   `redirect_uri` in the URL.
 * @throws Error with code `ERR_WEB_BROWSER_BLOCKED` when the browser blocks the popup; with `ERR_WEB_BROWSER_REDIRECT`
 *   when there is no redirect URL of this origin; with `ERR_WEB_BROWSER_STORAGE` when the page cannot store anything;
 * with
 *   `ERR_WEB_BROWSER_OPEN` for a page that is not http or https. TypeError with code `ERR_WEB_BROWSER_ARGUMENT` for an option that
 *   cannot be.
 */
export async function openAuthSessionAsync(
  url: string,
  redirectUrl?: string | null,
  options: AuthSessionOpenOptions = {},
): Promise<WebBrowserAuthSessionResult> {
  if (typeof window === 'undefined') return { type: 'cancel' };
  assertPageHere(url);
  assertOptions(options);
  if (current !== undefined && !current.popup.closed) return { type: 'locked' };
  const given = toRedirectUrl(url, redirectUrl);
  // Closed or only cut off: they look the same. A user who starts again no longer needs it.
  current?.session.abort(SUPERSEDED);
  return open(url, given, options);
}

/** Ends the session in progress, if any, as `dismiss`. */
export function dismissAuthSession(): void {
  current?.session.abort();
}

/**
 * Returns the result of a session of the mode `redirect`, once, on the page that it came back to; null without one.
 *
 * @throws Error with code `ERR_WEB_BROWSER_STORAGE` when the page cannot read the stored session.
 */
export function getRedirectResult(): WebBrowserRedirectResult | null {
  if (typeof window === 'undefined') return null;
  const records = list().filter(({ mode }) => mode === 'redirect');
  const session = findSession(records, location.href, false);
  if (session === undefined) return null;
  dropSession(session.handle);
  return { type: 'success', url: location.href };
}

/** Opens a page in its own window. */
export async function openBrowserAsync(url: string, options: WebBrowserOpenOptions = {}): Promise<WebBrowserResult> {
  if (typeof window === 'undefined') return { type: 'cancel' };
  assertPageHere(url);
  const opened = window.open(url, options.windowName ?? '_blank', toFeatures(options.windowFeatures));
  if (opened === null) throw blocked();
  return { type: 'opened' };
}

// Nothing is awaited before the popup is open: that must be in the click itself.
async function open(
  url: string,
  redirectUrl: string,
  options: AuthSessionOpenOptions,
): Promise<WebBrowserAuthSessionResult> {
  const { mode = 'popup', signal, timeoutMs } = options;
  const state = options.state ?? parameter(url, 'state');
  const record: SessionRecord = { handle: randomUUID(), redirectUrl, state, mode, startedAt: Date.now() };
  keep(record);
  if (mode === 'redirect') {
    location.assign(url);
    // This page is about to be left.
    return new Promise(() => {});
  }
  const popup = window.open(url, options.windowName ?? '_blank', toFeatures(options.windowFeatures));
  if (popup === null) {
    dropSession(record.handle);
    throw blocked();
  }
  const session = new AbortController();
  const own = { popup, session };
  current = own;
  const signals = [session.signal, ...(signal ? [signal] : []), ...(timeoutMs ? [AbortSignal.timeout(timeoutMs)] : [])];
  return waitForPopup({ popup, record, signals }).finally(() => {
    if (current === own) current = undefined;
  });
}

function keep(record: SessionRecord): void {
  try {
    keepRecord(record);
  } catch (cause) {
    throw storageError(cause);
  }
}

function list(): SessionRecord[] {
  try {
    return listRecords();
  } catch (cause) {
    throw storageError(cause);
  }
}

// A page of this site may be passed without its origin.
function assertPageHere(url: string): void {
  assertPage(parseUrl(url, location.href)?.href ?? url);
}

function toRedirectUrl(url: string, given: string | null | undefined): string {
  const redirectUrl = given ?? parameter(url, 'redirect_uri');
  if (redirectUrl === null || parseUrl(redirectUrl)?.origin !== location.origin) {
    throw codedError(
      'ERR_WEB_BROWSER_REDIRECT',
      `The redirect URL is ${redirectUrl ?? 'missing'}, but only a page of ${location.origin} can tell this one how it ended.`,
    );
  }
  return redirectUrl;
}

function blocked(): Error {
  return codedError(
    'ERR_WEB_BROWSER_BLOCKED',
    "The browser has blocked the popup. Open it in the click itself, with nothing awaited before, or use mode: 'redirect'.",
  );
}
