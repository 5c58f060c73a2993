import type { TokenTypeHint } from './enumerations.ts';

/** How a client authenticates at the token endpoint (OpenID Connect Core section 9). */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post';

/** The options of every request to the token endpoint. */
export interface TokenRequestConfig {
  /** Identifies the client. Not a secret. */
  clientId: string;
  /** Only for servers, where it stays secret. */
  clientSecret?: string | undefined;
  /** How the secret is sent. Default: `client_secret_basic`, or `client_secret_post` if the provider's metadata has only that. */
  clientAuthMethod?: ClientAuthMethod | undefined;
  /** Further parameters. They never replace one of the request's own. */
  extraParams?: Record<string, string> | undefined;
  /** Further headers. They never replace `Content-Type`, nor `Authorization` when there is a secret. */
  extraHeaders?: Record<string, string> | undefined;
  /** The scopes asked for. */
  scopes?: string[] | undefined;
}

/** An authorization code to be exchanged for tokens. */
export interface AccessTokenRequestConfig extends TokenRequestConfig {
  /** The code from the authorization server. */
  code: string;
  /** The redirect URI of the authorization request, byte for byte. */
  redirectUri: string;
  /** The verifier of the authorization request (RFC 7636 section 4.5). `extraParams.code_verifier` does the same. */
  codeVerifier?: string | undefined;
  /** The nonce of the authorization request: the id_token must have it (OpenID Connect Core section 3.1.3.7). */
  nonce?: string | undefined;
  /** The `max_age` of the authorization request, in seconds: the id_token must say that the user signed in since then. */
  maxAge?: number | undefined;
  /** The id_token in the answer to the request for `code id_token`: the next one must belong to the same user. */
  idToken?: string | undefined;
  /** The `iss` of the answer, which identifies one of many tenants. */
  issuer?: string | undefined;
}

/** A refresh token to be exchanged for new tokens. */
export interface RefreshTokenRequestConfig extends TokenRequestConfig {
  /** The refresh token from the authorization server. Required to perform the request. */
  refreshToken?: string | undefined;
  /** The id_token of the sign-in, if any: a new one must belong to the same user (OpenID Connect Core section 12.2). */
  idToken?: string | undefined;
}

/** A token to be revoked. */
export interface RevokeTokenRequestConfig extends Partial<TokenRequestConfig> {
  /** An access token or refresh token. */
  token: string;
  /** The kind of token. Without it, the server finds out. */
  tokenTypeHint?: TokenTypeHint | undefined;
}
