/** How the code challenge is derived from the code verifier (RFC 7636 section 4.2). */
export const CodeChallengeMethod = {
  /** The SHA-256 digest of the verifier, in Base64 for URLs. The default. */
  S256: 'S256',
  /** The plain verifier. Refused: anyone who sees the authorization request could use the code. */
  Plain: 'plain',
} as const;
export type CodeChallengeMethod = (typeof CodeChallengeMethod)[keyof typeof CodeChallengeMethod];

/** The grant with which a token is requested (RFC 6749 section 1.3). */
export const GrantType = {
  AuthorizationCode: 'authorization_code',
  ClientCredentials: 'client_credentials',
  Implicit: 'implicit',
  RefreshToken: 'refresh_token',
} as const;
export type GrantType = (typeof GrantType)[keyof typeof GrantType];

/** Which interactions the authorization server repeats (OpenID Connect Core section 3.1.2.1). */
export const Prompt = {
  /** Asks for consent, otherwise the error `consent_required`. */
  Consent: 'consent',
  /** Asks to sign in again, otherwise the error `login_required`. */
  Login: 'login',
  /** Shows nothing: the error is `login_required` or `interaction_required` when something would have to be shown. */
  None: 'none',
  /** Asks which account, otherwise the error `account_selection_required`. */
  SelectAccount: 'select_account',
} as const;
export type Prompt = (typeof Prompt)[keyof typeof Prompt];

/** What the authorization server answers with (RFC 6749 section 3.1.1, OpenID Connect Core section 3). */
export const ResponseType = {
  /** A code to be exchanged for tokens. The default. */
  Code: 'code',
  /** An access token in the URL: the implicit grant, which RFC 9700 section 2.1.2 advises against. */
  Token: 'token',
  /** An id_token in the URL. */
  IdToken: 'id_token',
} as const;
export type ResponseType = (typeof ResponseType)[keyof typeof ResponseType];

/** Which kind of token is revoked (RFC 7009 section 2.1). */
export const TokenTypeHint = {
  AccessToken: 'access_token',
  RefreshToken: 'refresh_token',
} as const;
export type TokenTypeHint = (typeof TokenTypeHint)[keyof typeof TokenTypeHint];

/** How an access token is used (RFC 6749 section 7.1, RFC 9449 section 7.1). */
export type TokenType = 'bearer' | 'mac' | 'dpop';
