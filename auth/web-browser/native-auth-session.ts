import { linkParameter, splitLink } from './app-link.ts';
import { assertOptions, assertPage } from './assert-options.ts';
import { codedError } from './coded-error.ts';
import { registeredBrowser } from './native-browser.ts';
import { cannotOpen, createNativeSessions } from './native-session.ts';
import type { AuthSessionOpenOptions, WebBrowserOpenOptions } from './options.ts';
import { reactNative, systemBrowser } from './react-native-platform.ts';
import type {
  WebBrowserAuthSessionResult,
  WebBrowserCompleteAuthSessionResult,
  WebBrowserRedirectResult,
  WebBrowserResult,
} from './result.ts';

const sessions = createNativeSessions(reactNative);

/**
 * Opens a page for the user to sign in, and returns the link that led back to the app.
 *
 * @param url – the page to open.
 * @param redirectUrl – a URL that the app is registered for, such as `com.example.app:/callback`. Default: the
 *   `redirect_uri` in the URL.
 * @throws Error with code `ERR_WEB_BROWSER_REDIRECT` without a redirect URL, or when the browser has come back to another one;
 *   with `ERR_WEB_BROWSER_OPEN` when no browser can be opened, or for a page that is not http or https.
 */
export async function openAuthSessionAsync(
  url: string,
  redirectUrl?: string | null,
  options: AuthSessionOpenOptions = {},
): Promise<WebBrowserAuthSessionResult> {
  assertPage(url);
  assertOptions(options);
  const redirect = redirectUrl ?? linkParameter(url, 'redirect_uri');
  if (redirect === null || splitLink(redirect) === null) {
    throw codedError(
      'ERR_WEB_BROWSER_REDIRECT',
      `The redirect URL is ${redirect ?? 'missing'}, but must begin with a scheme of this app, such as com.example.app:/callback.`,
    );
  }
  const state = options.state ?? linkParameter(url, 'state');
  return sessions.open(registeredBrowser() ?? systemBrowser, { url, redirectUrl: redirect, state, options });
}

/** Ends the session in progress, if any, as `dismiss`. */
export function dismissAuthSession(): void {
  sessions.dismiss();
}

/**
 * Opens a page in a browser.
 *
 * @throws Error with code `ERR_WEB_BROWSER_OPEN` when that fails, or for a page that is not http or https.
 */
export async function openBrowserAsync(url: string, options: WebBrowserOpenOptions = {}): Promise<WebBrowserResult> {
  assertPage(url);
  try {
    return await (registeredBrowser() ?? systemBrowser).openPage(url, options);
  } catch (cause) {
    throw cannotOpen(cause);
  }
}

/** Returns the result of a session of the mode `redirect`. Apps have none, because they are not left as a page is. */
export function getRedirectResult(): WebBrowserRedirectResult | null {
  return null;
}

/** Does nothing in an app, which receives links automatically. */
export function maybeCompleteAuthSession(): WebBrowserCompleteAuthSessionResult {
  return { type: 'failed', message: 'This is not a web page. The link that opens the app ends the session.' };
}
