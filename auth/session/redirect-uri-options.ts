/** How a redirect URI is created. Without a browser or app, there is none. */
export interface AuthSessionRedirectUriOptions {
  /** Native: `scheme:///path` instead of `scheme://path`. Default: `false`. */
  isTripleSlashed?: boolean | undefined;
  /** Native: the whole URI, for apps that were built. Takes precedence. */
  native?: string | undefined;
  /** Added to the URI. */
  path?: string | undefined;
  /** Native: the development server's address becomes `localhost`, for the iOS simulator. Default: `false`. */
  preferLocalhost?: boolean | undefined;
  /** Added to the query. */
  queryParams?: Record<string, string | undefined> | undefined;
  /** Native: the scheme that is built into the app. Default: that of the app config. */
  scheme?: string | undefined;
}
