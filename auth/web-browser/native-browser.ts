import type { AuthSessionOpenOptions, WebBrowserOpenOptions } from './options.ts';
import type { WebBrowserRedirectResult, WebBrowserResult } from './result.ts';

/** How a browser session has ended, as far as the browser knows. */
export type NativeBrowserResult =
  /** It has come to the redirect URL. */
  | WebBrowserRedirectResult
  /** The user or the app has closed it, and no link will come. */
  | { type: 'cancel' | 'dismiss' }
  /** It is gone. A link may be on its way. */
  | { type: 'closed' }
  /** It is open, and will not report its end. A link does. */
  | { type: 'opened' };

/** The browser of a device, implemented for each package that opens one. */
export interface NativeBrowser {
  /** Opens a page for a session. Rejects when that fails, but not when the user closes it. */
  open(url: string, session: { redirectUrl: string; options: AuthSessionOpenOptions }): Promise<NativeBrowserResult>;
  /** Opens a page without a session. */
  openPage(url: string, options: WebBrowserOpenOptions): Promise<WebBrowserResult>;
  /** Closes the page of a session, if the device allows it. */
  dismiss?(): void | Promise<unknown>;
}

let registered: NativeBrowser | undefined;

/**
 * Makes sessions open in another browser. Importing `appkit-web-browser/adapters/expo` or `…/inappbrowser` registers
 * the package of that name.
 *
 * @param browser – `null` for the system's browser, which is the default.
 */
export function registerBrowser(browser: NativeBrowser | null): void {
  registered = browser ?? undefined;
}

/** The browser that was registered last. */
export function registeredBrowser(): NativeBrowser | undefined {
  return registered;
}
