import { codedTypeError } from './coded-error.ts';

/** How a redirect URI is made. Where there is no browser or app, there is none to make. */
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
  /** Native: the scheme that is built into the app. */
  scheme?: string | undefined;
}

/**
 * Makes the redirect URI of this page: its origin and the path, byte for byte the same each time. A web app in production
 * better writes its redirect URI down, since the authorization server has to know it exactly.
 *
 * @returns the URI; empty while a page is rendered on a server.
 * @throws TypeError with code `ERR_AUTH_PLATFORM` in React Native, which is not supported yet.
 */
export function makeRedirectUri({ path = '', queryParams = {} }: AuthSessionRedirectUriOptions = {}): string {
  assertNotNative();
  if (typeof window === 'undefined') return '';
  const { origin } = window.location;
  const given = Object.entries(queryParams).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  const uri = path === '' ? origin : `${origin}/${path.replace(/^\/+/, '')}`;
  return query === '' ? uri : `${uri}?${query}`;
}

/**
 * Makes a redirect URI that carries `+appkit-auth-session`, so that what handles links in an app can leave it alone.
 *
 * @param urlPath – added to the URI.
 * @returns and throws as {@link makeRedirectUri}.
 * @deprecated Use {@link makeRedirectUri}.
 */
export function getDefaultReturnUrl(
  urlPath: string = '',
  options: Pick<AuthSessionRedirectUriOptions, 'isTripleSlashed' | 'queryParams' | 'scheme'> = {},
): string {
  const path = urlPath.replace(/^\/+/, '');
  return makeRedirectUri({ ...options, path: `+appkit-auth-session${path === '' ? '' : `/${path}`}` });
}

/**
 * Gives the redirect URL of this page: its origin and the path. There is no hosted redirect proxy in between.
 *
 * @returns and throws as {@link makeRedirectUri}.
 */
export function getRedirectUrl(path?: string): string {
  return makeRedirectUri({ path });
}

function assertNotNative(): void {
  // How React Native tells itself apart: it has a window, but no page.
  if (typeof navigator === 'undefined' || navigator.product !== 'ReactNative') return;
  throw codedTypeError(
    'ERR_AUTH_PLATFORM',
    'Redirect URIs are made for web pages only so far, not in React Native. Write the URI down, such as com.example.app:/callback.',
  );
}
