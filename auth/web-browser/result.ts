/** How opening a browser ended. */
export const WebBrowserResultType = {
  /** The user closed it. */
  CANCEL: 'cancel',
  /** The app closed it, or its time was over. */
  DISMISS: 'dismiss',
  /** It was opened, and nobody will tell how it ended. */
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
  /** The redirect URL with what was added to it. */
  url: string;
}

/** What {@link maybeCompleteAuthSession} did. */
export interface WebBrowserCompleteAuthSessionResult {
  type: 'success' | 'failed';
  /** Why, for a developer. */
  message: string;
}
