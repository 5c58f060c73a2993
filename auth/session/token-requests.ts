import { withAuthMethod } from './client-credentials.ts';
import { missing } from './coded-error.ts';
import { endpointOf } from './endpoint.ts';
import { GrantType } from './enumerations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { parseJsonObject } from './read-answer.ts';
import { Request } from './request.ts';
import type { Headers } from './request.ts';
import type { SendOptions } from './send.ts';
import { askForTokens, formAbout, formHeaders, sendForm, sentIn, tokenForm } from './token-endpoint.ts';
import type {
  AccessTokenRequestConfig,
  RefreshTokenRequestConfig,
  RevokeTokenRequestConfig,
  TokenRequestConfig,
} from './token-request-config.ts';
import { TokenResponse, toTokenResponseConfig } from './token-response.ts';

/**
 * Requests tokens from the token endpoint with any grant.
 *
 * @see RFC 6749 section 3.2
 */
export class TokenRequest<T extends TokenRequestConfig = TokenRequestConfig> extends Request<T, TokenResponse> {
  /** The grant type of the request. */
  readonly grantType: GrantType;

  constructor(config: T, grantType: GrantType) {
    super(config);
    this.grantType = grantType;
  }

  /** The config with the way to send the secret, once the provider is known. */
  #asked: T | undefined;

  override getHeaders(): Headers {
    return formHeaders(this.#asked ?? this.config);
  }

  override getQueryBody(): Record<string, string> {
    return tokenForm(this.#asked ?? this.config, this.grantType, this.grantParams()).body;
  }

  override getRequestConfig(): T & { grantType: GrantType } {
    return {
      clientSecret: undefined,
      extraParams: undefined,
      scopes: undefined,
      ...this.config,
      grantType: this.grantType,
    };
  }

  /**
   * Requests the tokens. An id_token among them is checked if the discovery document names its issuer; after a refresh it is
   * compared with the id_token of the sign-in.
   */
  override async performAsync(
    discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
    options: SendOptions = {},
  ): Promise<TokenResponse> {
    this.#asked = withAuthMethod(this.config, discovery.discoveryDocument);
    const { clientSecret } = this.config;
    const form = { headers: this.getHeaders(), body: this.getQueryBody(), clientSecret };
    const fields = await askForTokens(form, discovery, this.config, options);
    return new TokenResponse(toTokenResponseConfig(fields), fields);
  }

  /** The parameters of the grant. */
  protected grantParams(): Record<string, string> {
    return {};
  }
}

/**
 * Exchanges an authorization code for tokens.
 *
 * @see RFC 6749 section 4.1.3, RFC 7636 section 4.5
 */
export class AccessTokenRequest extends TokenRequest<AccessTokenRequestConfig> {
  /** @throws TypeError without a code or redirect URI. */
  constructor(config: AccessTokenRequestConfig) {
    super(config, GrantType.AuthorizationCode);
    if (!config.code) throw missing('code', 'An AccessTokenRequest');
    if (!config.redirectUri) throw missing('redirectUri', 'An AccessTokenRequest');
  }

  protected override grantParams(): Record<string, string> {
    const { codeVerifier, redirectUri, code } = this.config;
    const verifier = codeVerifier === undefined ? {} : { code_verifier: codeVerifier };
    return { redirect_uri: redirectUri, code, ...verifier };
  }
}

/**
 * Exchanges a refresh token for new tokens.
 *
 * @see RFC 6749 section 6
 */
export class RefreshTokenRequest extends TokenRequest<RefreshTokenRequestConfig> {
  /** @throws TypeError without a refresh token. */
  constructor(config: RefreshTokenRequestConfig) {
    super(config, GrantType.RefreshToken);
    if (!config.refreshToken) throw missing('refreshToken', 'A RefreshTokenRequest');
  }

  protected override grantParams(): Record<string, string> {
    return { refresh_token: this.config.refreshToken ?? '' };
  }
}

/**
 * Revokes a token.
 *
 * @see RFC 7009 section 2.1
 */
export class RevokeTokenRequest extends Request<RevokeTokenRequestConfig, boolean> {
  /** @throws TypeError without a token. */
  constructor(config: RevokeTokenRequestConfig) {
    super(config);
    if (!config.token) throw missing('token', 'A RevokeTokenRequest');
  }

  /** The config with the way to send the secret, once the provider is known. */
  #asked: RevokeTokenRequestConfig | undefined;

  override getHeaders(): Headers {
    return formHeaders(this.#asked ?? this.config);
  }

  override getQueryBody(): Record<string, string> {
    return formAbout(this.#asked ?? this.config).body;
  }

  override getRequestConfig(): RevokeTokenRequestConfig {
    return { clientSecret: undefined, tokenTypeHint: undefined, ...this.config };
  }

  /**
   * Revokes the token.
   *
   * @returns `true`: it can no longer be used.
   * @throws TokenError or ResponseError when the server has not revoked it.
   */
  override async performAsync(
    discovery: Pick<DiscoveryDocument, 'discoveryDocument' | 'revocationEndpoint'>,
    options: SendOptions = {},
  ): Promise<boolean> {
    this.#asked = withAuthMethod(this.config, discovery.discoveryDocument, 'revocation');
    const { clientSecret } = this.config;
    const form = { headers: this.getHeaders(), body: this.getQueryBody(), clientSecret };
    const endpoint = endpointOf(discovery, 'revocationEndpoint');
    const answer = await sendForm(form, endpoint, 'revocationEndpoint', options);
    // A success has nothing to read (RFC 7009 section 2.2), except when a provider answers an error with 200.
    if (!answer.ok || typeof parseJsonObject(answer.text)?.['error'] === 'string') {
      const { readFields } = await import('./answer-fields.ts');
      readFields(answer, sentIn(form));
    }
    return true;
  }
}
