/** How opening a browser ended. */
export const WebBrowserResultType = {
  /** The user closed it. */
  CANCEL: 'cancel',
  /** The app closed it, or its time limit was reached. */
  DISMISS: 'dismiss',
  /** It was opened, and its end will not be reported. */
  OPENED: 'opened',
  /** Another one is open. */
  LOCKED: 'locked',
} as const;
export type WebBrowserResultType = (typeof WebBrowserResultType)[keyof typeof WebBrowserResultType];

/** How opening a browser ended. */
export interface WebBrowserResult {
  type: WebBrowserResultType;
}

/** How an authentication session ended. */
export type WebBrowserAuthSessionResult = WebBrowserResult | WebBrowserRedirectResult;

/** The session ended at the redirect URL. */
export interface WebBrowserRedirectResult {
  type: 'success';
  /** The redirect URL with the added parameters. */
  url: string;
}

/** The result of {@link maybeCompleteAuthSession}. */
export interface WebBrowserCompleteAuthSessionResult {
  type: 'success' | 'failed';
  /** Why, for a developer. */
  message: string;
}
