/** The features of a popup, as `window.open` takes them. `true` is `yes`. */
export type WebBrowserWindowFeatures = Record<string, number | boolean | string>;

/** How a browser is opened. */
export interface WebBrowserOpenOptions {
  /**
   * Node: the program and arguments that open a page; the URL is added. It may end at once or with the browser; another code than
   * 0 says that it has failed. Default: the system's.
   */
  browserCommand?: readonly string[] | undefined;
  /** Web: the features of the window. Default: 500 by 650 pixels in the middle of the screen. */
  windowFeatures?: string | WebBrowserWindowFeatures | undefined;
  /** Web: the name of the window. Default: a new window each time. */
  windowName?: string | undefined;
}

/** How an authentication session is opened. */
export interface AuthSessionOpenOptions extends WebBrowserOpenOptions {
  /**
   * Web: `popup` opens a window beside the page; `redirect` leaves the page, and the page that is returned to gets the
   * result from `getRedirectResult()`. Default: `popup`.
   */
  mode?: 'popup' | 'redirect' | undefined;
  /** The `state` that the answer carries, when the URL does not show it. Default: the `state` in the URL. */
  state?: string | undefined;
  /** Ends the session as `dismiss` when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Ends the session as `dismiss` after this many milliseconds. Default: never. */
  timeoutMs?: number | undefined;
}
