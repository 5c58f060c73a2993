/** The features of a popup, as for `window.open`. `true` is `yes`. */
export type WebBrowserWindowFeatures = Record<string, number | boolean | string>;

/** How a browser is opened. The options of iOS and Android need a browser passed to `registerBrowser`. */
export interface WebBrowserOpenOptions {
  /**
   * Node: the program and arguments that open a page; the URL is added. It may end at once or with the browser; an
   * exit code other than 0 means that it has failed. Default: the system's.
   */
  browserCommand?: readonly string[] | undefined;
  /** Android: the package name of the browser whose custom tab opens. Default: the user's. */
  browserPackage?: string | undefined;
  /** iOS: the colour of the buttons. */
  controlsColor?: string | undefined;
  /** Android, with expo-web-browser: opens in its own task. Default: `true`. */
  createTask?: boolean | undefined;
  /** iOS: the word on the button that closes the page. */
  dismissButtonStyle?: 'cancel' | 'close' | 'done' | undefined;
  /** The toolbar hides while the user scrolls. */
  enableBarCollapsing?: boolean | undefined;
  /** Android: the menu has an entry to share the page. */
  enableDefaultShareMenuItem?: boolean | undefined;
  /** iOS: how the page is shown over the app. */
  presentationStyle?:
    | 'automatic'
    | 'currentContext'
    | 'formSheet'
    | 'fullScreen'
    | 'overCurrentContext'
    | 'overFullScreen'
    | 'pageSheet'
    | 'popover'
    | undefined;
  /** iOS: opens in the reader where the page allows it. */
  readerMode?: boolean | undefined;
  /** Android: the colour of the second toolbar. */
  secondaryToolbarColor?: string | undefined;
  /** Android: the page is among the recent apps. Default: `false`. */
  showInRecents?: boolean | undefined;
  /** Android: the toolbar shows the title of the page. */
  showTitle?: boolean | undefined;
  /** The colour of the toolbar. */
  toolbarColor?: string | undefined;
  /** Android, with expo-web-browser: the system does not end the page when the app is in the background. Default: `true`. */
  useProxyActivity?: boolean | undefined;
  /** Web: the features of the window. Default: 500 by 650 pixels in the middle of the screen. */
  windowFeatures?: string | WebBrowserWindowFeatures | undefined;
  /** Web: the name of the window. Default: a new window each time. */
  windowName?: string | undefined;
}

/** How an authentication session is opened. */
export interface AuthSessionOpenOptions extends WebBrowserOpenOptions {
  /**
   * Native: how long the user may be back in the app, without a break, before a browser that does not report its end
   * counts as closed, in milliseconds. `Infinity` never ends a session this way. Default: 1500.
   */
  graceMs?: number | undefined;
  /**
   * Web: `popup` opens a window next to the page; `redirect` leaves the page, and the page that is returned to gets the
   * result from `getRedirectResult()`. Default: `popup`.
   */
  mode?: 'popup' | 'redirect' | undefined;
  /** iOS: shares no cookies with the user's browser, which asks them to sign in again. Default: `false`. */
  preferEphemeralSession?: boolean | undefined;
  /** iOS 17.4 and later, with expo-web-browser: comes back by an https URL of an associated domain. Default: `false`. */
  preferUniversalLinks?: boolean | undefined;
  /** The `state` in the answer, if the URL does not show it. Default: the `state` in the URL. */
  state?: string | undefined;
  /** Ends the session as `dismiss` when it is aborted. */
  signal?: AbortSignal | undefined;
  /** Ends the session as `dismiss` after this many milliseconds. Default: never. */
  timeoutMs?: number | undefined;
}
