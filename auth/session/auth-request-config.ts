import type { AuthSessionOpenOptions, WebBrowserWindowFeatures } from 'appkit-web-browser';
import type { CodeChallengeMethod, Prompt, ResponseType } from './enumerations.ts';

/** What an authorization request contains. */
export interface AuthRequestConfig {
  /**
   * Lets endpoints be http on hosts other than this machine, which shows every secret and token to the network. For a
   * development server. Default: `false`.
   */
  allowInsecureRequests?: boolean | undefined;
  /** Identifies the client at the authorization server. Not a secret. */
  clientId: string;
  /** Where the authorization server sends the user afterwards. It must be registered there. */
  redirectUri: string;
  /**
   * How far the provider's clock may be from this one, in seconds, at most 300. Default: 300 for times in the future, as
   * the clocks of devices are often slow, and 30 for what has expired.
   */
  clockToleranceSeconds?: number | undefined;
  /** Kept for the exchange of the code; never sent to the authorization endpoint. A client cannot keep it secret. */
  clientSecret?: string | undefined;
  /**
   * The challenge of a verifier that another party keeps, such as your server. Default: derived from the verifier. With
   * the verifier, it must be derived from it.
   */
  codeChallenge?: string | undefined;
  /** Default: `S256`. `plain` is refused. */
  codeChallengeMethod?: CodeChallengeMethod | undefined;
  /** The verifier of the challenge. Default: one of 256 random bits for each prompt. */
  codeVerifier?: string | undefined;
  /** Further parameters. They never replace the request's own. With `max_age`, the `auth_time` of the id_token is checked. */
  extraParams?: Record<string, string> | undefined;
  /**
   * Binds the id_token to this request. Default: 256 random bits for each prompt, when `openid` is among the scopes.
   */
  nonce?: string | undefined;
  /** Which interactions the provider repeats. */
  prompt?: Prompt | Prompt[] | undefined;
  /** Default: `code`. */
  responseType?: ResponseType | (string & {}) | undefined;
  /** What is asked for. */
  scopes?: string[] | undefined;
  /** Binds the answer to this request, against forgery. Default: 256 random bits for each prompt. */
  state?: string | undefined;
  /** Default: `true`. Otherwise anyone who steals the code can use it. */
  usePKCE?: boolean | undefined;
}

/** How the user is prompted. */
export interface AuthRequestPromptOptions extends Omit<AuthSessionOpenOptions, 'state' | 'windowFeatures'> {
  /** The page to open. Default: the request's URL. */
  url?: string | undefined;
  /** Web: the features of the popup. */
  windowFeatures?: WebBrowserWindowFeatures | undefined;
}
