import type { AuthSessionOpenOptions, WebBrowserOpenOptions } from './options.ts';
import type { WebBrowserRedirectResult, WebBrowserResult } from './result.ts';

/** How a browser has ended, as far as it knows. */
export type NativeBrowserResult =
  /** It has come to the redirect URL. */
  | WebBrowserRedirectResult
  /** The user has closed it, and no link will come; or the app has. */
  | { type: 'cancel' | 'dismiss' }
  /** It is gone. A link may be on its way. */
  | { type: 'closed' }
  /** It is open, and will not tell how it ends. A link does. */
  | { type: 'opened' };

/** A browser of a device, of which each package that opens one has its own. */
export interface NativeBrowser {
  /** Opens a page for a session. Rejects when that fails, which is not the same as a user who closes it. */
  open(url: string, session: { redirectUrl: string; options: AuthSessionOpenOptions }): Promise<NativeBrowserResult>;
  /** Opens a page without a session. */
  openPage(url: string, options: WebBrowserOpenOptions): Promise<WebBrowserResult>;
  /** Closes the page of a session, where the device lets it. */
  dismiss?(): void | Promise<unknown>;
}

let registered: NativeBrowser | undefined;

/**
 * Lets sessions open in another browser. Importing `appkit-web-browser/adapters/expo` or `…/inappbrowser` does it for the
 * packages that those are named after.
 *
 * @param browser – `null` for the browser of the system, which is the default.
 */
export function registerBrowser(browser: NativeBrowser | null): void {
  registered = browser ?? undefined;
}

/** The browser that was registered last. */
export function registeredBrowser(): NativeBrowser | undefined {
  return registered;
}
