import { platform } from 'appkit-web-browser';
import { appContext } from './app-context.ts';
import { AUTH_SESSION_MARKER } from './auth-session-url.ts';
import { codedTypeError } from './coded-error.ts';
import { makeNativeRedirectUri, makeProxyUrl, toQuery } from './native-redirect-uri.ts';
import type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';

/**
 * Creates the redirect URI of this page or app, byte for byte the same each time. The table docs/redirect-uris.md
 * lists the inputs and results.
 *
 * On the web it is the origin of the page and the path. A web app in production should hard-code its redirect URI,
 * because the authorization server must know it exactly. In React Native it is the scheme of the app and the path.
 *
 * @returns the URI; empty while a page is rendered on a server.
 * @throws TypeError in React Native, with code `ERR_AUTH_SCHEME` when the app has no scheme; with `ERR_AUTH_PLATFORM` in a store
 *   client that does not say where the app comes from.
 */
export function makeRedirectUri(options: AuthSessionRedirectUriOptions = {}): string {
  if (isNative()) return makeNativeRedirectUri(options, { context: appContext(), platform });
  if (typeof window === 'undefined') return '';
  const { path = '', queryParams } = options;
  const { origin } = pageLocation();
  return `${path === '' ? origin : `${origin}/${path.replace(/^\/+/, '')}`}${toQuery(queryParams)}`;
}

/**
 * Creates a redirect URI with `+appkit-auth-session`, so that an app's link handlers can ignore it.
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
  return makeRedirectUri({ ...options, path: `${AUTH_SESSION_MARKER}${path === '' ? '' : `/${path}`}` });
}

/**
 * Returns the redirect URL of this page: its origin and the path. In React Native, the URL of your own proxy, which
 * `setAppContext` sets; this package provides none.
 *
 * @returns and throws as {@link makeRedirectUri}; throws TypeError with code `ERR_AUTH_PLATFORM` in the bare workflow of React
 *   Native, and without a proxy.
 */
export function getRedirectUrl(path?: string): string {
  return isNative() ? makeProxyUrl(path ?? '', appContext()) : makeRedirectUri({ path });
}

// React Native supports more systems than this package knows.
function isNative(): boolean {
  return platform !== 'web' && platform !== 'node';
}

function pageLocation(): Location {
  const { location } = window as { location?: Location };
  if (location !== undefined) return location;
  throw codedTypeError(
    'ERR_AUTH_PLATFORM',
    'There is a window without a location, as React Native has: the bundler has taken the entry for pages. Let it resolve package exports with the condition react-native.',
  );
}
