import type { AppContext } from './app-context.ts';
import { codedTypeError } from './coded-error.ts';
import type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';

/** The app that a redirect URI is made for. */
export interface NativeApp {
  context: AppContext;
  /** `android`, `ios`, or another system that React Native has. */
  platform: string;
}

/** Creates the redirect URI of an app. @throws TypeError with code `ERR_AUTH_SCHEME`, or `ERR_AUTH_PLATFORM`. */
export function makeNativeRedirectUri(options: AuthSessionRedirectUriOptions, app: NativeApp): string {
  const { isTripleSlashed, native, path = '', queryParams } = options;
  if (app.context.executionEnvironment === 'storeClient') return makeStoreClientUri(options, app.context);
  if (native !== undefined) return native;
  const slashes = isTripleSlashed ? '///' : '//';
  const rest = isTripleSlashed ? path.replace(/^\/+/, '') : path;
  return `${chooseScheme(options, app)}:${slashes}${encodePath(rest)}${toQuery(queryParams)}`;
}

/**
 * Returns the URL of the proxy that redirects the browser into an app. @throws TypeError with code
 * `ERR_AUTH_PLATFORM`.
 */
export function makeProxyUrl(path: string, { executionEnvironment = 'bare', ...context }: AppContext): string {
  const { owner, redirectProxyUrl, slug } = context;
  if (executionEnvironment === 'bare') {
    throw codedTypeError(
      'ERR_AUTH_PLATFORM',
      'getRedirectUrl is not for the bare workflow, which no proxy knows. Use makeRedirectUri.',
    );
  }
  if (!redirectProxyUrl || !owner || !slug) {
    throw codedTypeError(
      'ERR_AUTH_PLATFORM',
      'getRedirectUrl needs redirectProxyUrl, owner and slug, which setAppContext sets. Without a proxy of your own, use makeRedirectUri.',
    );
  }
  const end = path.replace(/^\/+/, '');
  return [redirectProxyUrl.replace(/\/+$/, ''), owner, slug, ...(end === '' ? [] : [encodePath(end)])].join('/');
}

// A store client opens many apps, so the address of the app is in the URI, and the app's own scheme leads nowhere.
function makeStoreClientUri(
  { path = '', preferLocalhost, queryParams, scheme }: AuthSessionRedirectUriOptions,
  { hostUri }: AppContext,
): string {
  if (!hostUri) {
    throw codedTypeError(
      'ERR_AUTH_PLATFORM',
      'This app runs in a store client, but has no hostUri. Set it by setAppContext, such as 192.168.1.4:8081.',
    );
  }
  const [address, ...hostQuery] = hostUri.split('?') as [string, ...string[]]; // split always returns one
  const host = address.replace(/\/+$/, '');
  const local = preferLocalhost ? host.replace(/^\d+(?:\.\d+){3}(?=[:/]|$)/, 'localhost') : host;
  const end = path.replace(/^\/+/, '');
  const query = [toQuery(queryParams).slice(1), ...hostQuery].filter((part) => part !== '').join('&');
  return `${scheme === 'exps' ? 'exps' : 'exp'}://${local}${end && `/--/${encodePath(end)}`}${query && `?${query}`}`;
}

function chooseScheme({ scheme }: AuthSessionRedirectUriOptions, { context, platform }: NativeApp): string {
  const own = platform === 'android' ? context.android : platform === 'ios' ? context.ios : undefined;
  const chosen = scheme ?? [own?.scheme ?? []].flat()[0] ?? [context.scheme ?? []].flat()[0];
  // RFC 3986 section 3.1
  if (chosen !== undefined && /^[a-z][a-z\d+.-]*$/i.test(chosen)) return chosen;
  throw codedTypeError(
    'ERR_AUTH_SCHEME',
    chosen === undefined
      ? 'This app has no scheme to return by. Set "scheme" in the app config and build the app again, or give the one that is built in: makeRedirectUri({ scheme }) or setAppContext({ scheme }).'
      : `The scheme ${JSON.stringify(chosen)} cannot be one: it has letters, digits, "+", "-" and "." only, such as com.example.app, and no "://".`,
  );
}

/** Encodes characters that a path cannot contain. Encoded characters are kept. */
function encodePath(path: string): string {
  return path.replace(/%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/%]+/gi, encodeURIComponent);
}

/** Formats a query with its `?`; empty without parameters. */
export function toQuery(params: Record<string, string | undefined> = {}): string {
  const given = Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return query === '' ? '' : `?${query}`;
}
