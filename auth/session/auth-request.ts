import { openAuthSessionAsync } from 'appkit-web-browser';
import type { WebBrowserAuthSessionResult } from 'appkit-web-browser';
import type { AuthRequestConfig, AuthRequestPromptOptions } from './auth-request-config.ts';
import type { AuthSessionResult, CompletedAuthSessionResult } from './auth-session-result.ts';
import { checkReturnUrl, refusal } from './check-answer.ts';
import { codedTypeError, missing } from './coded-error.ts';
import { endpointOf } from './endpoint.ts';
import { CodeChallengeMethod, ResponseType } from './enumerations.ts';
import type { Prompt } from './enumerations.ts';
import { deriveChallengeAsync, makePkceAsync } from './pkce.ts';
import type { Pkce } from './pkce.ts';
import type { DiscoveryDocument, ProviderMetadata } from './provider-metadata.ts';
import { randomText } from './random-text.ts';
import { withQuery } from './request-async.ts';
import type { SendOptions } from './send.ts';
import { AccessTokenRequest } from './token-requests.ts';
import { TokenResponse } from './token-response.ts';

/**
 * An authorization request: what is asked of the authorization server, and what its answer is compared with.
 *
 * @see RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1
 */
export class AuthRequest implements Omit<AuthRequestConfig, 'state'> {
  /** Ties the answer to this request. */
  state: string;
  /** Where the user is sent; null until {@link AuthRequest.makeAuthUrlAsync} has made it. */
  url: string | null = null;
  /** What the code challenge was made of, to be sent with the code. */
  codeVerifier?: string | undefined;
  codeChallenge?: string | undefined;
  /** Ties the id_token to this request. */
  nonce?: string | undefined;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly codeChallengeMethod: CodeChallengeMethod;
  readonly extraParams: Record<string, string>;
  readonly prompt?: Prompt | Prompt[] | undefined;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly scopes?: string[] | undefined;
  readonly usePKCE: boolean;

  #metadata: ProviderMetadata | undefined;
  #isAnswered = false;
  // A browser was opened with it. Its answer may come late, and must not be taken for that to the next prompt.
  #isPrompted = false;
  // For when this request is made anew.
  #nextPkce: Pkce | undefined;

  /**
   * On the page that is returned to after a prompt of the mode `redirect`: gives the request that was made before the page
   * was left, and the result. Once: whoever loads the page again gets null.
   *
   * Take the code out of the address bar afterwards, such as by `history.replaceState(null, '', location.pathname)`.
   *
   * @param discovery – as it was given to {@link AuthRequest.promptAsync}.
   * @returns null when no request to this provider has come back here in this tab.
   */
  static async resumeAsync(
    discovery: Pick<DiscoveryDocument, 'discoveryDocument'>,
  ): Promise<{ request: AuthRequest; result: CompletedAuthSessionResult } | null> {
    const { takeAnsweredRequest } = await import('./pending-request.ts');
    const answered = takeAnsweredRequest(discovery.discoveryDocument?.issuer);
    if (answered === null) return null;
    const request = new AuthRequest(answered.config);
    request.url = answered.url;
    request.#metadata = discovery.discoveryDocument;
    return { request, result: await request.parseReturnUrlAsync(answered.returnUrl) };
  }

  /** @throws TypeError without client id or redirect URI, or with the challenge method `plain`. */
  constructor(request: AuthRequestConfig) {
    assertRequest(request);
    this.clientId = request.clientId;
    this.clientSecret = request.clientSecret;
    this.codeChallenge = request.codeChallenge;
    this.codeVerifier = request.codeVerifier;
    this.prompt = request.prompt;
    this.redirectUri = request.redirectUri;
    this.scopes = request.scopes;
    this.responseType = request.responseType ?? ResponseType.Code;
    this.codeChallengeMethod = request.codeChallengeMethod ?? CodeChallengeMethod.S256;
    this.usePKCE = request.usePKCE ?? true;
    this.extraParams = request.extraParams ?? {};
    this.state = request.state ?? randomText();
    this.nonce = request.nonce ?? this.extraParams['nonce'] ?? (this.#isOpenId() ? randomText() : undefined);
  }

  /** Gives what is asked for, with state, nonce and code challenge. */
  async getAuthRequestConfigAsync(): Promise<AuthRequestConfig> {
    if (this.usePKCE && this.codeChallenge === undefined) {
      this.codeVerifier ??= randomText();
      this.codeChallenge = await deriveChallengeAsync(this.codeVerifier);
    }
    const { clientId, clientSecret, codeChallenge, codeChallengeMethod, extraParams, nonce } = this;
    const { prompt, redirectUri, responseType, scopes, state, usePKCE } = this;
    return {
      clientId,
      clientSecret,
      codeChallenge,
      codeChallengeMethod,
      extraParams,
      nonce,
      prompt,
      redirectUri,
      responseType,
      scopes,
      state,
      usePKCE,
    };
  }

  /**
   * Makes the URL that the user is sent to, and keeps it in `url`. A request that has been answered or prompted is made
   * anew, with a state, nonce and code verifier of its own.
   *
   * @param discovery – with its `discoveryDocument`, the answer is compared with the issuer in it (RFC 9207).
   * @throws TypeError without an `authorizationEndpoint`.
   */
  async makeAuthUrlAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  ): Promise<string> {
    this.#renewIfUsed();
    return this.#makeUrl(discovery, await this.getAuthRequestConfigAsync());
  }

  /**
   * Reads the URL that the authorization server has sent the user to. Each request is answered once.
   *
   * What needs cryptography is checked by {@link AuthRequest.parseReturnUrlAsync} only: an id_token in the URL.
   */
  parseReturnUrl(url: string): CompletedAuthSessionResult {
    const { params, error } = checkReturnUrl(url, {
      state: this.#isAnswered ? null : this.state,
      metadata: this.#metadata,
    });
    // A forged answer must not use up the request.
    if (error?.code !== 'state_mismatch') this.#isAnswered = true;
    const hasToken = error === null && params['access_token'] !== undefined;
    return {
      type: error === null ? 'success' : 'error',
      authentication: hasToken ? TokenResponse.fromQueryParams(params) : null,
      error,
      errorCode: error?.code ?? null,
      event: Object.freeze({ type: 'redirect', url, timestamp: Date.now() }),
      params,
      url: this.url ?? url,
    };
  }

  /**
   * As {@link AuthRequest.parseReturnUrl}, and checks an id_token in the URL with the keys of the provider.
   *
   * @param options – how the keys are fetched.
   */
  async parseReturnUrlAsync(url: string, options: SendOptions = {}): Promise<CompletedAuthSessionResult> {
    const result = this.parseReturnUrl(url);
    const idToken = result.params['id_token'];
    if (result.type === 'error' || idToken === undefined) return result;
    try {
      const metadata = this.#metadata;
      if (!metadata?.issuer || !metadata.jwks_uri) {
        throw new Error('The id_token cannot be checked: the discovery document names no issuer and keys.');
      }
      const { checkSignedIdToken } = await import('./id-token.ts');
      const { clientId, nonce } = this;
      const expected = { clientId, nonce, metadata: { ...metadata, issuer: metadata.issuer } };
      await checkSignedIdToken(idToken, expected, options);
      return result;
    } catch (error) {
      const { signal } = options;
      if (signal?.aborted) throw signal.reason ?? error;
      const refused = refusal('invalid_id_token', (error as Error).message, result.params);
      refused.cause = error;
      return { ...result, type: 'error', authentication: null, error: refused, errorCode: refused.code };
    }
  }

  /**
   * Opens the browser for the user to sign in, and reads the answer. Call it in the click itself, after
   * {@link AuthRequest.makeAuthUrlAsync}: a browser blocks popups that open later.
   *
   * Each prompt is a request of its own: one that was prompted before is made anew, at once, however that ended. With
   * `mode: 'redirect'` the page is left, and the one that is returned to calls {@link AuthRequest.resumeAsync}.
   *
   * @throws Error with code `ERR_WEB_BROWSER_BLOCKED` when the browser blocks the popup.
   */
  async promptAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
    { url, ...options }: AuthRequestPromptOptions = {},
  ): Promise<AuthSessionResult> {
    const opened = url ?? this.#urlAtOnce(discovery) ?? (await this.makeAuthUrlAsync(discovery));
    const browse = { ...options, state: this.state };
    const open = (): Promise<WebBrowserAuthSessionResult> => openAuthSessionAsync(opened, this.redirectUri, browse);
    const isLeaving = options.mode === 'redirect';
    // Nobody hears how that ends, even if the user comes back to this page.
    this.#isPrompted = isLeaving;
    const result = await (isLeaving ? this.#keepWhileAway(opened, open) : open());
    // A locked one has opened nothing, and the prompt under way may be one of this request.
    this.#isPrompted = result.type !== 'locked';
    const answer = result.type === 'success' ? await this.parseReturnUrlAsync(result.url) : result;
    // The next prompt has no time for it. What fails here fails there again, and is told.
    if (this.codeVerifier !== undefined) this.#nextPkce = await makePkceAsync().catch(() => undefined);
    return answer;
  }

  /**
   * Exchanges the code of a successful result for tokens, with the verifier and nonce of this request.
   *
   * @throws TypeError for a result without a code, or for the discovery document of a provider that the request was not
   *   made for; otherwise as `exchangeCodeAsync`.
   */
  async exchangeAsync(
    { params }: Pick<CompletedAuthSessionResult, 'params'>,
    discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
    options: SendOptions = {},
  ): Promise<TokenResponse> {
    this.#assertSameProvider(discovery.discoveryDocument);
    const { clientId, clientSecret, codeVerifier, nonce, redirectUri } = this;
    const config = { clientId, clientSecret, code: params['code'] ?? '', codeVerifier, nonce, redirectUri };
    return new AccessTokenRequest(config).performAsync(discovery, options);
  }

  // The URL to open, if there is nothing to wait for: a popup has to open before any await.
  #urlAtOnce(discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>): string | null {
    this.#renewIfUsed();
    if (this.url !== null) return this.url;
    // A class of the app's own may make its URLs in another way, and a challenge is not derived at once.
    const mustWait = this.constructor !== AuthRequest || (this.usePKCE && this.codeChallenge === undefined);
    return mustWait ? null : this.#makeUrl(discovery, this);
  }

  #makeUrl(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
    config: AuthRequestConfig,
  ): string {
    const query = new URLSearchParams(toParams(config)).toString();
    this.url = withQuery(endpointOf(discovery, 'authorizationEndpoint'), query);
    this.#metadata = discovery.discoveryDocument;
    return this.url;
  }

  #renewIfUsed(): void {
    if (!this.#isAnswered && !this.#isPrompted) return;
    this.state = randomText();
    if (this.nonce !== undefined) this.nonce = randomText();
    // A challenge whose verifier another party holds stays.
    if (this.codeVerifier !== undefined) {
      this.codeVerifier = this.#nextPkce?.codeVerifier;
      this.codeChallenge = this.#nextPkce?.codeChallenge;
    }
    this.#nextPkce = undefined;
    this.#isAnswered = false;
    this.#isPrompted = false;
    this.url = null;
  }

  // RFC 9207 section 1: the code of one provider is never shown to another.
  #assertSameProvider(metadata: ProviderMetadata | undefined): void {
    const [own, given] = [this.#metadata?.issuer, metadata?.issuer];
    if (own === undefined || given === undefined || own === given) return;
    throw codedTypeError(
      'ERR_AUTH_ARGUMENT',
      `This request was made for ${own}, not for ${given}. Give the discovery document it was made with.`,
    );
  }

  async #keepWhileAway<T>(url: string, leave: () => Promise<T>): Promise<T> {
    const { keepWhileAway } = await import('./pending-request.ts');
    const { clientSecret: _, ...config } = await this.getAuthRequestConfigAsync();
    const { codeVerifier } = this;
    return keepWhileAway({ config: { ...config, codeVerifier }, url, issuer: this.#metadata?.issuer }, leave);
  }

  #isOpenId(): boolean {
    const scopes = this.scopes ?? this.extraParams['scope']?.split(' ') ?? [];
    return scopes.includes('openid') || this.responseType.includes(ResponseType.IdToken);
  }
}

function assertRequest({ clientId, codeChallengeMethod, redirectUri }: AuthRequestConfig): void {
  if (!clientId) throw missing('clientId', 'An AuthRequest');
  if (!redirectUri) {
    throw missing('redirectUri', 'An AuthRequest', ' makeRedirectUri() gives that of the platform.');
  }
  if (codeChallengeMethod === CodeChallengeMethod.Plain) {
    throw codedTypeError(
      'ERR_AUTH_ARGUMENT',
      'The code challenge method plain protects nothing. Use S256, the default.',
    );
  }
}

// The request's own parameters last: none is replaced by an extra one. The secret is no parameter of this endpoint.
function toParams(config: AuthRequestConfig): Record<string, string> {
  const { codeChallenge, nonce, prompt, scopes = [], state = '' } = config;
  return {
    ...config.extraParams,
    ...(codeChallenge === undefined
      ? {}
      : { code_challenge: codeChallenge, code_challenge_method: String(config.codeChallengeMethod) }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(prompt === undefined ? {} : { prompt: [prompt].flat().join(' ') }),
    ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
    client_id: config.clientId,
    redirect_uri: config.redirectUri,
    response_type: String(config.responseType),
    state,
  };
}
