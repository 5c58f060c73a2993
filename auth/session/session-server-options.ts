import type { AuthRequestConfig } from './auth-request-config.ts';
import type { ClientKey } from './client-key.ts';
import { assertNumber, codedTypeError, missing } from './coded-error.ts';
import type { DiscoveryOptions } from './discovery.ts';
import { Prompt } from './enumerations.ts';
import type { DiscoveryDocument, Issuer } from './provider-metadata.ts';
import type { TokenRequestConfig } from './token-request-config.ts';

/** The options of a session server whose provider knows OpenID Connect. */
export interface SessionServerOptions extends CommonOptions {
  /** The issuer of the provider, exactly as in its discovery document. */
  issuer: Issuer;
  /**
   * Takes the claim `name` from the form that the provider posts if it gives none otherwise, as Apple does at the first sign-in of a user. Nobody
   * signs that name: users can write any there. Default: `false`.
   */
  postedName?: boolean | undefined;
  discovery?: undefined;
  readUser?: undefined;
}

/** The options of a session server whose provider knows OAuth 2.0 alone, such as GitHub. */
export interface OAuthSessionServerOptions extends CommonOptions {
  issuer?: undefined;
  /** The endpoints of the provider. */
  discovery: DiscoveryDocument;
  /**
   * Says who has signed in: asks the provider's API with the new access token. `subject` must never change, and never belong to another user
   * there. Store what else is of interest in `claims`. If it throws, or takes longer than `timeoutMs`, the user is not signed in.
   */
  readUser: (accessToken: string) => Promise<ProviderUser>;
}

/** The options that any session server has. */
interface CommonOptions
  extends
    Pick<AuthRequestConfig, 'clientId' | 'clientSecret' | 'extraParams' | 'prompt' | 'scopes'>,
    Pick<TokenRequestConfig, 'clientAuthMethod'>,
    Pick<DiscoveryOptions, 'acceptIssuer' | 'clientAuth' | 'clockToleranceSeconds' | 'timeoutMs'> {
  /**
   * The secrets that encrypt the cookies, at least 32 characters each, such as the output of `openssl rand -base64
   * 32`. The first secret encrypts, all of them decrypt: to change it, put the new one in front and remove the old one
   * after `sessionSeconds`. If a release replaces instances one by one, release
   * the new one behind the old one first.
   */
  secrets: readonly string[];
  /** The scopes to request. `openid` must be among them if there is an `issuer`. Default: `openid`, or none without an `issuer`. With `offline_access`, `prompt` is `consent` by default. */
  scopes?: string[] | undefined;
  /**
   * The public origin of the app, such as `https://app.example`. Default: the origin of each request's URL, which is
   * wrong behind a proxy that terminates TLS. Not `origin()` of `appkit-server`, which may be the origin of another site.
   */
  origin?: string | undefined;
  /** The base path of the handlers. Default: `/auth`. */
  basePath?: string | undefined;
  /**
   * The claims about the user that the session keeps. The user information of the provider is requested for those that
   * the id_token lacks; if it refuses the access token, as when that is for another API, `onError` is called and they
   * are missing. Default: `name`, `email`, `email_verified`, `picture`. With `readUser`, all of its claims are kept.
   */
  claims?: readonly string[] | undefined;
  /** How long a user stays signed in, in seconds. Default: 604800, seven days. */
  sessionSeconds?: number | undefined;
  /** The name of the session cookie; over https, it gets the prefix `__Host-`. Default: `auth-session`. */
  cookieName?: string | undefined;
  /**
   * Sends each request directly to the provider before the user goes there, so that the URL they open reveals nothing
   * (RFC 9126). Default: when the provider requires it.
   */
  pushRequests?: boolean | undefined;
  /**
   * Signs each request with this private key, so that the URL that the user opens cannot be changed (RFC 9101).
   * Default: requests are not signed.
   */
  requestKey?: ClientKey | undefined;
  /**
   * Further parameters of the sign-out at the provider, such as `logout_uri`, which Amazon Cognito needs. They never replace one of the
   * request's own.
   */
  signOutParams?: Record<string, string> | undefined;
  /** The path that the user is sent to after signing out. Default: `/`. */
  signedOutPath?: string | undefined;
  /**
   * The path that the user is sent to when a sign-in fails, with its code as `?error=`. Do not guard it: the user would
   * be sent to sign in again. Default: a short page shows the failure.
   */
  errorPath?: string | undefined;
  /**
   * Keeps the id_token in the session and sends it to the provider at sign-out, in a URL that the browser sees. Some
   * providers require it. Default: `false`: the provider receives the client id, and asks the user.
   */
  idTokenHint?: boolean | undefined;
  /**
   * Lets the app and the provider be http on hosts other than this machine, which shows every cookie and token to the network.
   * For development. Default: `false`.
   */
  allowInsecureRequests?: boolean | undefined;
  /**
   * Sets headers of the future answer: pass the function of `appkit-server`. With it, a refreshed session is kept even
   * if the route throws. Default: the cookies are added to the response of the route.
   */
  setResponseHeaders?: ((headers: { 'set-cookie': string[]; 'cache-control': string }) => void) | undefined;
  /**
   * Lets work continue after the answer: pass the function of `appkit-server`. With it, a refresh completes even if the
   * client disconnects meanwhile, on a host that then ends the request, and so does the revocation at sign-out that
   * takes longer than the answer. Default: they continue if the host allows it.
   */
  runTask?: ((task: () => Promise<void>) => void) | undefined;
  /** Called with errors of the provider, or of the connection to it. Default: `console.error`. */
  onError?: ((error: unknown, request: Request) => void) | undefined;
}

/** A user of a provider without OpenID Connect. */
export interface ProviderUser {
  /** The id of the user at the provider. */
  subject: string;
  /** What the session keeps about the user, as JSON. */
  claims?: Record<string, unknown> | undefined;
}

/** The completed and checked options for a request. */
export interface Settings extends CommonOptions {
  basePath: string;
  claims: readonly string[];
  cookieName: string;
  /** The endpoints of a provider without an issuer. */
  discovery?: DiscoveryDocument | undefined;
  readUser?: OAuthSessionServerOptions['readUser'] | undefined;
  /** What identifies the provider: its issuer, or the token endpoint if it has none. */
  issuer: string;
  postedName?: boolean | undefined;
  onError: (error: unknown, request: Request) => void;
  /** The origin of the app. */
  origin: string;
  scopes: string[];
  sessionSeconds: number;
  signedOutPath: string;
}

const WEEK = 7 * 24 * 60 * 60;
const CLAIMS = ['name', 'email', 'email_verified', 'picture'];
// Not `session`: an app may use the one of appkit-server next to it, and would sign its users out.
const COOKIE_NAME = 'auth-session';
const LOCAL = /^http:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/;

/**
 * Completes the options for a request.
 *
 * @throws TypeError with code `ERR_AUTH_ARGUMENT` for one that is missing or invalid.
 */
export function toSettings(options: SessionServerOptions | OAuthSessionServerOptions, request: Request): Settings {
  const { discovery } = options;
  const scopes = options.scopes ?? (discovery ? [] : ['openid']);
  const isOffline = scopes.includes('offline_access');
  assertOptions(options, scopes);
  return {
    ...options,
    basePath: options.basePath ?? '/auth',
    claims: options.claims ?? CLAIMS,
    cookieName: options.cookieName ?? COOKIE_NAME,
    // A variable that is not set may be ''.
    issuer: options.issuer || (discovery?.tokenEndpoint ?? ''),
    onError: options.onError ?? ((error) => console.error(error)),
    origin: originOf(options, request),
    // OpenID Connect Core section 11: without it, a provider omits the refresh token.
    prompt: options.prompt ?? (isOffline ? Prompt.Consent : undefined),
    scopes,
    sessionSeconds: options.sessionSeconds ?? WEEK,
    signedOutPath: options.signedOutPath ?? '/',
  };
}

function assertOptions(options: SessionServerOptions | OAuthSessionServerOptions, scopes: string[]): void {
  const { basePath = '/auth', claims, clientId, cookieName = COOKIE_NAME, secrets, sessionSeconds } = options;
  // In JavaScript, they may be texts, as other libraries take them.
  if (!Array.isArray(scopes)) throw cannotBe("scopes is not a list. Write it as ['openid', 'email'].");
  if (claims !== undefined && !Array.isArray(claims)) {
    throw cannotBe("claims is not a list. Write it as ['name', 'email'].");
  }
  assertProvider(options, scopes);
  if (!clientId) throw missing('clientId', 'A session server');
  if (!Array.isArray(secrets) || secrets.length === 0) throw missing('secrets', 'A session server');
  if (!secrets.every((secret) => typeof secret === 'string' && secret.length >= 32)) {
    throw cannotBe('Each of secrets must have at least 32 characters. Make one with: openssl rand -base64 32');
  }
  if (!/^(\/[\w.~-]+)+$/.test(basePath)) throw cannotBe(`basePath is "${basePath}". Write it as /auth.`);
  if (!/^[\w-]+$/.test(cookieName) || /^__(?:host|secure|http)-/i.test(cookieName)) {
    throw cannotBe(
      `cookieName is "${cookieName}". Use letters, digits, - and _, without a prefix such as __Host-, which is added over https.`,
    );
  }
  // Browsers keep no cookie longer (RFC 6265bis section 5.5).
  assertNumber('sessionSeconds', sessionSeconds, 1, 400 * 24 * 60 * 60);
}

function assertProvider(
  { discovery, issuer, readUser }: SessionServerOptions | OAuthSessionServerOptions,
  scopes: string[],
): void {
  if (!issuer && !discovery) throw missing('issuer', 'A session server');
  if (issuer && (discovery || readUser)) {
    throw cannotBe('discovery and readUser are for a provider without an issuer. Remove them, or issuer.');
  }
  if (issuer && !scopes.includes('openid')) {
    throw cannotBe('scopes must have openid: without it nothing says who has signed in.');
  }
  if (discovery && !readUser) throw missing('readUser', 'A session server without an issuer');
  if (discovery && typeof readUser !== 'function') {
    throw cannotBe('readUser is not a function. It says who has signed in.');
  }
  for (const name of ['authorizationEndpoint', 'tokenEndpoint'] as const) {
    if (discovery && !discovery[name]) throw missing(name, 'The discovery of a session server');
  }
}

function originOf({ allowInsecureRequests, origin: given }: CommonOptions, request: Request): string {
  if (given !== undefined && !(URL.canParse(given) && /^https?:/i.test(given))) {
    throw cannotBe(`origin is "${given}". Write it with https:// or http://, such as https://app.example.`);
  }
  const { origin } = new URL(given ?? request.url);
  if (allowInsecureRequests || origin.startsWith('https:') || LOCAL.test(origin)) return origin;
  throw cannotBe(
    `The app is at ${origin}, where its cookies would be sent unencrypted. Behind a proxy that terminates TLS, give the option ` +
      'origin, such as https://app.example. For development, give allowInsecureRequests.',
  );
}

function cannotBe(message: string): TypeError {
  return codedTypeError('ERR_AUTH_ARGUMENT', message);
}
