import { withAuthMethod } from './client-credentials.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';
import { GrantType } from './enumerations.ts';
import type { TokenType } from './enumerations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';
import { askForTokens, tokenForm } from './token-endpoint.ts';
import type { TokenRequestConfig } from './token-request-config.ts';
import { untilAborted } from './until-aborted.ts';

/** The fields of a token response. */
export interface TokenResponseConfig {
  /** The token itself. */
  accessToken: string;
  /**
   * Lifetime in seconds, from {@link TokenResponseConfig.issuedAt} on. Absent: it is assumed not to expire. If an answer's
   * `expires_in` is negative, not a number or over ten years, it counts as 3600, one hour; `rawResponse` has the original.
   */
  expiresIn?: number | undefined;
  /** Who has signed in (OpenID Connect Core section 2). */
  idToken?: string | undefined;
  /** When it was received, in seconds since 1970 by this device's clock. Default: now. */
  issuedAt?: number | undefined;
  /** Requests the next access token. */
  refreshToken?: string | undefined;
  /** The granted scopes. May be absent if they are the requested ones. */
  scope?: string | undefined;
  /** The exact state of the request, if it had one. */
  state?: string | undefined;
  /** In lower case. Default: `bearer`. */
  tokenType?: TokenType | undefined;
  /** The raw answer, for non-standard fields. */
  rawResponse?: unknown | undefined;
}

/** A token response in wire format (RFC 6749 section 5.1). */
export interface ServerTokenResponseConfig {
  access_token: string;
  expires_in?: number | undefined;
  id_token?: string | undefined;
  issued_at?: number | undefined;
  refresh_token?: string | undefined;
  scope?: string | undefined;
  token_type?: TokenType | undefined;
}

/** The tokens of a signed-in user. */
export class TokenResponse implements TokenResponseConfig {
  accessToken: string;
  expiresIn?: number | undefined;
  idToken?: string | undefined;
  issuedAt: number;
  refreshToken?: string | undefined;
  scope?: string | undefined;
  state?: string | undefined;
  tokenType: TokenType;
  rawResponse?: unknown | undefined;

  /**
   * Returns whether a token can still be used. A token without `expiresIn` always can.
   *
   * @param secondsMargin – how long before it expires a token counts as expired, so that it outlives the request it is used
   *   for. Never more than half its lifetime. Default: 600.
   */
  static isTokenFresh(token: Pick<TokenResponse, 'expiresIn' | 'issuedAt'>, secondsMargin: number = 600): boolean {
    if (!token) return false;
    if (token.expiresIn === undefined) return true;
    if (token.expiresIn === 0) return false;
    // Comparable libraries use the absolute value of a negative margin.
    const margin = Math.min(Math.abs(secondsMargin), token.expiresIn / 2);
    return getCurrentTimeInSeconds() < token.issuedAt + token.expiresIn - margin;
  }

  /** Creates a token response from the parameters of a return URL, such as the `params` of a successful result. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the specification's type, which takes interfaces too
  static fromQueryParams(params: Record<string, any>): TokenResponse {
    return new TokenResponse(toTokenResponseConfig(params));
  }

  /** @param rawResponse – the raw answer. */
  constructor(config: TokenResponseConfig, rawResponse: unknown = config.rawResponse) {
    this.accessToken = config.accessToken;
    this.expiresIn = config.expiresIn;
    this.idToken = config.idToken;
    this.issuedAt = config.issuedAt ?? getCurrentTimeInSeconds();
    // Some providers write an empty one for none.
    this.refreshToken = config.refreshToken || undefined;
    this.scope = config.scope;
    this.state = config.state;
    this.tokenType = config.tokenType ?? 'bearer';
    this.rawResponse = rawResponse;
  }

  /** The fields as a plain object, to store and pass to the constructor again: all except `rawResponse`. */
  getRequestConfig(): TokenResponseConfig {
    const { rawResponse: _, ...config } = this;
    return config;
  }

  /** Whether the token must be refreshed and can be. */
  shouldRefresh(): boolean {
    return !TokenResponse.isTokenFresh(this) && this.refreshToken !== undefined;
  }

  /**
   * Requests the next access token and stores it in this object; fields missing from the answer stay unchanged. Calls
   * at the same time share one request, since a provider that rotates refresh tokens accepts each one once. A signal
   * only ends the wait of its own caller: the request continues, so its tokens are not lost.
   *
   * @returns this object.
   * @throws TokenError when the server refuses; ResponseError when the next id_token belongs to another user; TypeError without a
   *   refresh token.
   * @see RFC 6749 section 6, OpenID Connect Core 1.0 section 12.2
   */
  async refreshAsync(
    config: Omit<TokenRequestConfig, 'grantType' | 'refreshToken'>,
    discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
    options: SendOptions = {},
  ): Promise<TokenResponse> {
    // If a caller gives up waiting, the others still get the next tokens.
    const alone = { ...options, signal: undefined };
    this.#refreshing ??= this.#refresh(config, discovery, alone).finally(() => (this.#refreshing = undefined));
    await untilAborted(this.#refreshing, options.signal);
    return this;
  }

  #refreshing: Promise<void> | undefined;

  async #refresh(
    config: TokenRequestConfig,
    discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
    options: SendOptions,
  ): Promise<void> {
    if (this.refreshToken === undefined) {
      throw (await import('./request-errors.ts')).noRefreshToken();
    }
    const asked = withAuthMethod(config, discovery.discoveryDocument);
    const form = tokenForm(asked, GrantType.RefreshToken, { refresh_token: this.refreshToken });
    const { idToken } = this;
    const fields = await askForTokens(form, discovery, { clientId: config.clientId, idToken }, options);
    const { refreshToken, scope, state } = this;
    const next = new TokenResponse(toTokenResponseConfig(fields), fields);
    // Except the lifetime: the previous token's does not apply to the next.
    next.idToken ??= idToken;
    next.refreshToken ??= refreshToken;
    next.scope ??= scope;
    next.state ??= state;
    Object.assign(this, next);
  }
}

const HOUR = 3600;
const TEN_YEARS = 10 * 365 * 24 * HOUR;

/** Reads the fields of a token response in wire format, tolerating deviations of providers. */
export function toTokenResponseConfig(fields: Record<string, unknown>): TokenResponseConfig {
  const text = (name: string): string | undefined => {
    const value = fields[name];
    return typeof value === 'string' ? value : undefined;
  };
  const seconds = (name: string, most: number, otherwise?: number): number | undefined => {
    const value = fields[name];
    if (value === undefined) return undefined;
    const read = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
    return typeof read === 'number' && read >= 0 && read <= most ? read : otherwise;
  };
  return {
    // The caller has checked that it exists.
    accessToken: text('access_token') ?? '',
    expiresIn: seconds('expires_in', TEN_YEARS, HOUR),
    idToken: text('id_token'),
    // Not in the future: the token would count as fresh until then.
    issuedAt: seconds('issued_at', getCurrentTimeInSeconds()),
    refreshToken: text('refresh_token'),
    // Some providers write a list.
    scope: Array.isArray(fields['scope']) ? fields['scope'].join(' ') : text('scope'),
    state: text('state'),
    // A provider may use other types than the known ones.
    tokenType: text('token_type')?.toLowerCase() as TokenType | undefined,
  };
}
