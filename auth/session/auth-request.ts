import { openAuthSessionAsync } from 'appkit-web-browser';
import type { WebBrowserAuthSessionResult } from 'appkit-web-browser';
import type { AuthRequestConfig, AuthRequestPromptOptions } from './auth-request-config.ts';
import type { AuthSessionResult, CompletedAuthSessionResult } from './auth-session-result.ts';
import { checkReturnUrl } from './check-answer.ts';
import { assertNumber, codedTypeError, missing } from './coded-error.ts';
import { assertEndpoint, endpointOf } from './endpoint.ts';
import { CodeChallengeMethod, ResponseType } from './enumerations.ts';
import type { Prompt } from './enumerations.ts';
import { deriveChallengeAsync, makePkceAsync } from './pkce.ts';
import type { Pkce } from './pkce.ts';
import type { DiscoveryDocument, ProviderMetadata } from './provider-metadata.ts';
import { randomText } from './random-text.ts';
import { withQuery } from './request-async.ts';
import type { SendOptions } from './send.ts';
import { signedUrls } from './signed-urls.ts';
import type { AccessTokenRequestConfig } from './token-request-config.ts';
import { AccessTokenRequest } from './token-requests.ts';
import { TokenResponse } from './token-response.ts';
import { untilAborted } from './until-aborted.ts';

/**
 * An authorization request: the parameters sent to the authorization server, and the values its answer is compared
 * with.
 *
 * @see RFC 6749 section 4.1.1, OpenID Connect Core 1.0 section 3.1.2.1
 */
export class AuthRequest implements Omit<AuthRequestConfig, 'state'> {
  /** Binds the answer to this request. */
  state: string;
  /** The URL that the user is sent to; null until {@link AuthRequest.makeAuthUrlAsync} has made it. */
  url: string | null = null;
  /** The source of the code challenge; sent with the code. */
  codeVerifier?: string | undefined;
  codeChallenge?: string | undefined;
  /** Binds the id_token to this request. */
  nonce?: string | undefined;
  readonly allowInsecureRequests?: boolean | undefined;
  readonly clientId: string;
  readonly clockToleranceSeconds?: number | undefined;
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
  // Whether a browser was opened with it. Its answer may arrive late, and must not count as the answer to the next
  // prompt.
  #isPrompted = false;
  // Needed to create this request again.
  #nextPkce: Pkce | undefined;
  // Values that the app has not set are generated again with it.
  #made: Made = {};
  #exchange: { code: string; call: Promise<TokenResponse> } | undefined;

  /**
   * On the page at the redirect URI, after a prompt with the mode `redirect`: returns the request that was made before the page
   * was left, and the result. All calls in one page load return the same; loading the page again gives null.
   *
   * Remove the code from the address bar afterwards, such as with `history.replaceState(null, '', location.pathname)`.
   *
   * @param discovery – the same as for {@link AuthRequest.promptAsync}.
   * @returns null when no request to this provider has returned to this page in this tab.
   */
  static async resumeAsync(
    discovery: Pick<DiscoveryDocument, 'discoveryDocument'>,
  ): Promise<{ request: AuthRequest; result: CompletedAuthSessionResult } | null> {
    const { resumeOnce } = await import('./pending-request.ts');
    return resumeOnce(discovery.discoveryDocument?.issuer, async ({ config, made, returnUrl, url }) => {
      const request = new AuthRequest(config);
      request.url = url;
      request.#made = made;
      request.#metadata = discovery.discoveryDocument;
      return { request, result: await request.parseReturnUrlAsync(returnUrl) };
    });
  }

  /** @throws TypeError without client id or redirect URI, or with the challenge method `plain`. */
  constructor(request: AuthRequestConfig) {
    assertRequest(request);
    this.allowInsecureRequests = request.allowInsecureRequests;
    this.clientId = request.clientId;
    this.clockToleranceSeconds = request.clockToleranceSeconds;
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
    this.state = request.state ?? (this.#made.state = randomText());
    this.nonce = request.nonce ?? this.extraParams['nonce'];
    if (this.#isOpenId()) this.nonce ??= this.#made.nonce = randomText();
  }

  /** Returns the parameters of the request, with state, nonce and code challenge. */
  async getAuthRequestConfigAsync(): Promise<AuthRequestConfig> {
    if (this.usePKCE) {
      if (this.codeChallenge === undefined) this.codeVerifier ??= this.#made.codeVerifier = randomText();
      const derived = this.codeVerifier && (await deriveChallengeAsync(this.codeVerifier));
      this.codeChallenge ??= derived;
      if (derived && derived !== this.codeChallenge) {
        throw (await import('./request-errors.ts')).otherChallenge();
      }
    }
    const { codeVerifier: _verifier, url: _url, ...config } = this;
    return config;
  }

  /**
   * Creates the URL that the user is sent to, and stores it in `url`. A request that has been answered or prompted gets
   * a new state, nonce and code verifier, except those that the app has set.
   *
   * @param discovery – if it has a `discoveryDocument`, the answer is compared with its issuer (RFC 9207).
   * @throws TypeError without an `authorizationEndpoint` of https; for a `codeChallenge` that does not match the
   * `codeVerifier`.
   */
  async makeAuthUrlAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  ): Promise<string> {
    this.#renewIfUsed();
    return this.#makeUrl(discovery, await this.getAuthRequestConfigAsync());
  }

  /**
   * Reads the URL that the authorization server has sent the user to. Each request is answered once: by the first URL with
   * its `state`. A URL with another state or none changes nothing.
   *
   * Only {@link AuthRequest.parseReturnUrlAsync} checks what needs cryptography: an id_token in the URL. A signed answer,
   * which `extraParams: { response_mode: 'jwt' }` requests, is an `error` here.
   */
  parseReturnUrl(url: string): CompletedAuthSessionResult {
    const { params, error } = checkReturnUrl(url, {
      state: this.#isAnswered ? null : this.state,
      metadata: this.#metadata,
      responseType: this.responseType,
      lacksSignature: this.#lacksSignature(url),
    });
    // A forged answer must not consume the request.
    if (params['state'] === this.state) this.#isAnswered = true;
    return {
      type: error ? 'error' : 'success',
      authentication: error || params['access_token'] === undefined ? null : TokenResponse.fromQueryParams(params),
      error,
      errorCode: error?.code ?? null,
      event: Object.freeze({ type: 'redirect', url, timestamp: Date.now() }),
      params,
      url: this.url ?? url,
    };
  }

  /**
   * As {@link AuthRequest.parseReturnUrl}, and checks an id_token in the URL with the keys of the provider. Also reads signed answers
   * (JARM); if they were requested, any other answer is `invalid_response`.
   *
   * @param options – how the keys are fetched.
   */
  async parseReturnUrlAsync(url: string, options: SendOptions = {}): Promise<CompletedAuthSessionResult> {
    const given = { ...this.#withDefaults(options), metadata: this.#metadata };
    if (this.#lacksSignature(url)) {
      return (await import('./jarm.ts')).parseSignedAnswerAsync(
        this,
        url,
        { discoveryDocument: this.#metadata },
        given,
      );
    }
    const result = this.parseReturnUrl(url);
    if (result.error || result.params['id_token'] === undefined) return result;
    return (await import('./answer-id-token.ts')).checkAnswerIdToken(result, {
      ...this.#expected(result.params),
      ...given,
    });
  }

  /**
   * Opens the browser for the user to sign in, and reads the answer. Call it in the click itself, after
   * {@link AuthRequest.makeAuthUrlAsync}: a browser blocks popups that open later.
   *
   * Each prompt is a new request: a request that was prompted before is made again at once, however the prompt ended. With
   * `mode: 'redirect'` the page is left, and the page at the redirect URI calls {@link AuthRequest.resumeAsync}.
   *
   * @throws Error with code `ERR_WEB_BROWSER_BLOCKED` when the browser blocks the popup; TypeError with code
   *   `ERR_AUTH_ENDPOINT` when the `authorizationEndpoint` is not https.
   */
  async promptAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
    { url, ...options }: AuthRequestPromptOptions = {},
  ): Promise<AuthSessionResult> {
    const opened = url ?? this.#urlAtOnce(discovery) ?? (await this.makeAuthUrlAsync(discovery));
    const browse = { ...options, state: this.state };
    const open = (): Promise<WebBrowserAuthSessionResult> => openAuthSessionAsync(opened, this.redirectUri, browse);
    const isLeaving = options.mode === 'redirect';
    // The result cannot be reported, even if the user comes back to this page.
    this.#isPrompted = isLeaving;
    const result = await (isLeaving ? this.#keepWhileAway(opened, open) : open());
    // A locked session has opened nothing, and the prompt in progress may belong to this request.
    this.#isPrompted = result.type !== 'locked';
    const answer = result.type === 'success' ? await this.parseReturnUrlAsync(result.url) : result;
    // Prepared now because the next prompt must open at once. A failure here occurs again there, and is reported.
    if (this.#made.codeVerifier) this.#nextPkce = await makePkceAsync().catch(() => undefined);
    return answer;
  }

  /**
   * Exchanges the code of a successful result for tokens, with the verifier and nonce of this request. The code is sent once:
   * every call with it returns the same tokens, until one has failed. A signal only ends the wait of its own caller.
   *
   * @throws TypeError for a result of another type or without a code, or for the discovery document of a provider that the
   *   request was not made for; otherwise as `exchangeCodeAsync`.
   */
  async exchangeAsync(
    { params, type = 'success' }: Pick<CompletedAuthSessionResult, 'params'> & { type?: AuthSessionResult['type'] },
    discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
    options: SendOptions = {},
  ): Promise<TokenResponse> {
    if (type !== 'success') {
      throw (await import('./request-errors.ts')).noCode(type);
    }
    await this.#assertSameProvider(discovery.discoveryDocument);
    const { code = '', id_token: idToken } = params;
    let exchange = this.#exchange;
    if (exchange?.code !== code) {
      const { clientSecret, codeVerifier, redirectUri } = this;
      const own = { clientSecret, code, codeVerifier, idToken, redirectUri };
      const request = new AccessTokenRequest({ ...this.#expected(params), ...own });
      // The server accepts a code once, so it is sent once, even if a caller gives up waiting.
      const call = request.performAsync(discovery, { ...this.#withDefaults(options), signal: undefined });
      exchange = this.#exchange = { code, call };
      // It may be tried again.
      call.catch(() => (this.#exchange = undefined));
    }
    return untilAborted(exchange.call, options.signal);
  }

  #expected(
    params: Record<string, string>,
  ): Pick<AccessTokenRequestConfig, 'clientId' | 'issuer' | 'maxAge' | 'nonce'> {
    const { clientId, nonce } = this;
    const { max_age: maxAge } = this.extraParams;
    return { clientId, nonce, issuer: params['iss'], maxAge: maxAge === undefined ? undefined : Number(maxAge) };
  }

  #withDefaults(options: SendOptions): SendOptions {
    const { allowInsecureRequests, clockToleranceSeconds } = this;
    return { allowInsecureRequests, clockToleranceSeconds, ...options };
  }

  // The URL to open, if it is ready: a popup has to open before any await.
  #urlAtOnce(discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>): string | null {
    this.#renewIfUsed();
    if (this.url !== null) return this.url;
    // An app's own class may create its URLs differently, and deriving a challenge is asynchronous.
    const mustWait = this.constructor !== AuthRequest || (this.usePKCE && this.codeChallenge === undefined);
    return mustWait ? null : this.#makeUrl(discovery, this);
  }

  #makeUrl(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
    config: AuthRequestConfig,
  ): string {
    const query = new URLSearchParams(toParams(config)).toString();
    const endpoint = endpointOf(discovery, 'authorizationEndpoint');
    assertEndpoint(endpoint, 'authorizationEndpoint', this);
    this.url = withQuery(endpoint, query);
    this.#metadata = discovery.discoveryDocument;
    return this.url;
  }

  #renewIfUsed(): void {
    if (!this.#isAnswered && !this.#isPrompted) return;
    const made = this.#made;
    for (const name of ['state', 'nonce'] as const) {
      if (made[name] && this[name] === made[name]) this[name] = made[name] = randomText();
    }
    if (made.codeVerifier && this.codeVerifier === made.codeVerifier) {
      this.codeVerifier = made.codeVerifier = this.#nextPkce?.codeVerifier;
      this.codeChallenge = this.#nextPkce?.codeChallenge;
    }
    this.#nextPkce = undefined;
    this.#isAnswered = false;
    this.#isPrompted = false;
    this.url = null;
  }

  // RFC 9207 section 1: a provider's code is never sent to another provider.
  async #assertSameProvider(metadata: ProviderMetadata | undefined): Promise<void> {
    const own = this.#metadata?.issuer;
    const given = metadata?.issuer;
    if (own && given && own !== given) throw (await import('./request-errors.ts')).otherProvider(own, given);
  }

  async #keepWhileAway<T>(url: string, leave: () => Promise<T>): Promise<T> {
    const { keepWhileAway } = await import('./pending-request.ts');
    // If the app has provided the URL, there may be no verifier yet.
    await this.getAuthRequestConfigAsync();
    return keepWhileAway({ config: this, made: this.#made, url, issuer: this.#metadata?.issuer }, leave);
  }

  // If a signed answer was requested, an unsigned one is refused: anyone could have written it.
  #lacksSignature(url: string): boolean | undefined {
    return this.extraParams['response_mode']?.endsWith('jwt') && signedUrls.get(this) !== url;
  }

  #isOpenId(): boolean {
    const scopes = this.scopes ?? this.extraParams['scope']?.split(' ');
    return scopes?.includes('openid') || this.responseType.includes(ResponseType.IdToken);
  }
}

/** The values generated for a request, not set by the app. */
export type Made = Partial<Pick<AuthRequest, 'codeVerifier' | 'nonce' | 'state'>>;

function assertRequest({
  clientId,
  clockToleranceSeconds,
  codeChallengeMethod,
  redirectUri,
  state,
}: AuthRequestConfig): void {
  if (!clientId) throw missing('clientId', 'An AuthRequest');
  if (state === '') throw missing('state', 'An AuthRequest');
  assertNumber('clockToleranceSeconds', clockToleranceSeconds, 0, 300);
  if (!redirectUri) {
    throw missing('redirectUri', 'An AuthRequest', " makeRedirectUri() returns the platform's.");
  }
  if (codeChallengeMethod === CodeChallengeMethod.Plain) {
    throw codedTypeError(
      'ERR_AUTH_ARGUMENT',
      'The code challenge method plain does not protect the code. Use S256, the default.',
    );
  }
}

// The request's own parameters come last, so that extra ones do not replace them. The secret is not a parameter of
// this endpoint.
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
