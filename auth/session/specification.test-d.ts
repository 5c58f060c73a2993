/**
 * The tables of the specification's Area A as types, row by row and in its order. Compiled by `tsc -p auth`, never run.
 *
 * A field is there with exactly that type and is required or not as the row says; an operation takes exactly those
 * parameters, after which it may have optional ones of its own.
 */
import type { AuthSessionOpenOptions, WebBrowserWindowFeatures } from 'appkit-web-browser';
import type * as AuthSession from './index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsOptional<T, Name extends keyof T> = Record<never, never> extends Pick<T, Name> ? true : false;
/** What a helper is called with: nothing, or something nobody has. */
type Proof<Holds> = Holds extends true ? [] : [the: never];
type Operation = (...parameters: never[]) => unknown;

declare function required<T, Name extends keyof T, Type>(
  ...proof: Proof<IsOptional<T, Name> extends true ? false : Equal<T[Name], Type>>
): void;
declare function optional<T, Name extends keyof T, Type>(
  ...proof: Proof<IsOptional<T, Name> extends true ? Equal<Exclude<T[Name], undefined>, Type> : false>
): void;
declare function equal<A, B>(...proof: Proof<Equal<A, B>>): void;
declare function assignable<A, B>(...proof: Proof<[A] extends [B] ? true : false>): void;
declare function operation<F extends Operation, Parameters_ extends unknown[], Result>(
  ...proof: Proof<
    [Parameters_, Parameters<F>] extends [Parameters<F>, [...Parameters_, ...unknown[]]]
      ? Equal<ReturnType<F>, Result>
      : false
  >
): void;

// The helpers can fail.
// @ts-expect-error -- it is required
optional<AuthSession.AuthRequestConfig, 'clientId', string>();
// @ts-expect-error -- it is optional
required<AuthSession.AuthRequestConfig, 'clientSecret', string>();
// @ts-expect-error -- it is a string
required<AuthSession.AuthRequestConfig, 'clientId', string | null>();
// @ts-expect-error -- there is no such field
optional<AuthSession.AuthRequestConfig, 'clientID', string>();
// @ts-expect-error -- there is no such field, only an index signature
optional<AuthSession.ProviderMetadata, 'jwks_url', string>();
// @ts-expect-error -- it takes an issuer
operation<typeof AuthSession.fetchDiscoveryAsync, [], Promise<AuthSession.DiscoveryDocument>>();
// @ts-expect-error -- the document is an object
operation<typeof AuthSession.fetchDiscoveryAsync, [issuer: object], Promise<AuthSession.DiscoveryDocument>>();
// @ts-expect-error -- it is a promise
operation<typeof AuthSession.fetchDiscoveryAsync, [issuer: string], AuthSession.DiscoveryDocument>();
// @ts-expect-error -- there is another value
equal<AuthSession.TokenTypeHint, 'access_token'>();
// @ts-expect-error -- a document is not a string
assignable<AuthSession.IssuerOrDiscovery, string>();

// AuthRequestConfig
required<AuthSession.AuthRequestConfig, 'clientId', string>();
optional<AuthSession.AuthRequestConfig, 'clientSecret', string>();
optional<AuthSession.AuthRequestConfig, 'codeChallenge', string>();
optional<AuthSession.AuthRequestConfig, 'codeChallengeMethod', AuthSession.CodeChallengeMethod>();
optional<AuthSession.AuthRequestConfig, 'extraParams', Record<string, string>>();
optional<AuthSession.AuthRequestConfig, 'prompt', AuthSession.Prompt | AuthSession.Prompt[]>();
required<AuthSession.AuthRequestConfig, 'redirectUri', string>();
optional<AuthSession.AuthRequestConfig, 'responseType', AuthSession.ResponseType | (string & {})>();
assignable<string | AuthSession.ResponseType, AuthSession.AuthRequestConfig['responseType']>();
optional<AuthSession.AuthRequestConfig, 'scopes', string[]>();
optional<AuthSession.AuthRequestConfig, 'state', string>();
optional<AuthSession.AuthRequestConfig, 'usePKCE', boolean>();

// AuthRequest (class)
assignable<AuthSession.AuthRequest, Omit<AuthSession.AuthRequestConfig, 'state'>>();
assignable<ConstructorParameters<typeof AuthSession.AuthRequest>, [AuthSession.AuthRequestConfig]>();
optional<AuthSession.AuthRequest, 'codeVerifier', string>();
required<AuthSession.AuthRequest, 'state', string>();
required<AuthSession.AuthRequest, 'url', string | null>();

// TokenRequestConfig
required<AuthSession.TokenRequestConfig, 'clientId', string>();
optional<AuthSession.TokenRequestConfig, 'clientSecret', string>();
optional<AuthSession.TokenRequestConfig, 'extraParams', Record<string, string>>();
optional<AuthSession.TokenRequestConfig, 'scopes', string[]>();

// AccessTokenRequestConfig
assignable<AuthSession.AccessTokenRequestConfig, AuthSession.TokenRequestConfig>();
required<AuthSession.AccessTokenRequestConfig, 'code', string>();
required<AuthSession.AccessTokenRequestConfig, 'redirectUri', string>();

// RefreshTokenRequestConfig
assignable<AuthSession.RefreshTokenRequestConfig, AuthSession.TokenRequestConfig>();
optional<AuthSession.RefreshTokenRequestConfig, 'refreshToken', string>();

// RevokeTokenRequestConfig
assignable<AuthSession.RevokeTokenRequestConfig, Partial<AuthSession.TokenRequestConfig>>();
optional<AuthSession.RevokeTokenRequestConfig, 'clientId', string>();
optional<AuthSession.RevokeTokenRequestConfig, 'clientSecret', string>();
required<AuthSession.RevokeTokenRequestConfig, 'token', string>();
optional<AuthSession.RevokeTokenRequestConfig, 'tokenTypeHint', AuthSession.TokenTypeHint>();

// AuthRequestPromptOptions
assignable<AuthSession.AuthRequestPromptOptions, Omit<AuthSessionOpenOptions, 'windowFeatures'>>();
optional<AuthSession.AuthRequestPromptOptions, 'url', string>();
optional<AuthSession.AuthRequestPromptOptions, 'windowFeatures', WebBrowserWindowFeatures>();

// AuthSessionRedirectUriOptions
optional<AuthSession.AuthSessionRedirectUriOptions, 'isTripleSlashed', boolean>();
optional<AuthSession.AuthSessionRedirectUriOptions, 'native', string>();
optional<AuthSession.AuthSessionRedirectUriOptions, 'path', string>();
optional<AuthSession.AuthSessionRedirectUriOptions, 'preferLocalhost', boolean>();
optional<AuthSession.AuthSessionRedirectUriOptions, 'queryParams', Record<string, string | undefined>>();
optional<AuthSession.AuthSessionRedirectUriOptions, 'scheme', string>();

// DiscoveryDocument
optional<AuthSession.DiscoveryDocument, 'authorizationEndpoint', string>();
optional<AuthSession.DiscoveryDocument, 'discoveryDocument', AuthSession.ProviderMetadata>();
optional<AuthSession.DiscoveryDocument, 'endSessionEndpoint', string>();
optional<AuthSession.DiscoveryDocument, 'registrationEndpoint', string>();
optional<AuthSession.DiscoveryDocument, 'revocationEndpoint', string>();
optional<AuthSession.DiscoveryDocument, 'tokenEndpoint', string>();
optional<AuthSession.DiscoveryDocument, 'userInfoEndpoint', string>();

// ProviderMetadataEndpoints
required<AuthSession.ProviderMetadataEndpoints, 'authorization_endpoint', string>();
required<AuthSession.ProviderMetadataEndpoints, 'token_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'device_authorization_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'end_session_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'introspection_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'registration_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'revocation_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'userinfo_endpoint', string>();
optional<AuthSession.ProviderMetadataEndpoints, 'issuer', AuthSession.Issuer>();

// ProviderMetadata
assignable<AuthSession.ProviderMetadata, Partial<AuthSession.ProviderMetadataEndpoints>>();
equal<AuthSession.ProviderMetadata['of a provider'], string | boolean | string[] | undefined>();
optional<AuthSession.ProviderMetadata, 'backchannel_logout_session_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'backchannel_logout_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'frontchannel_logout_session_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'frontchannel_logout_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'claims_parameter_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'request_parameter_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'request_uri_parameter_supported', boolean>();
optional<AuthSession.ProviderMetadata, 'require_request_uri_registration', boolean>();
optional<AuthSession.ProviderMetadata, 'check_session_iframe', string>();
optional<AuthSession.ProviderMetadata, 'jwks_uri', string>();
optional<AuthSession.ProviderMetadata, 'op_policy_uri', string>();
optional<AuthSession.ProviderMetadata, 'op_tos_uri', string>();
optional<AuthSession.ProviderMetadata, 'service_documentation', string>();
optional<AuthSession.ProviderMetadata, 'claim_types_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'claims_locales_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'claims_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'display_values_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'grant_types_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'id_token_signing_alg_values_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'response_modes_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'response_types_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'scopes_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'subject_types_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'ui_locales_supported', string[]>();
optional<AuthSession.ProviderMetadata, 'code_challenge_methods_supported', AuthSession.CodeChallengeMethod[]>();
optional<
  AuthSession.ProviderMetadata,
  'token_endpoint_auth_methods_supported',
  ('client_secret_post' | 'client_secret_basic' | 'client_secret_jwt' | 'private_key_jwt' | (string & {}))[]
>();

// Issuer / IssuerOrDiscovery
equal<AuthSession.Issuer, string>();
equal<AuthSession.IssuerOrDiscovery, AuthSession.Issuer | AuthSession.DiscoveryDocument>();

// TokenResponseConfig
assignable<AuthSession.TokenResponse, AuthSession.TokenResponseConfig>();
required<AuthSession.TokenResponseConfig, 'accessToken', string>();
optional<AuthSession.TokenResponseConfig, 'expiresIn', number>();
optional<AuthSession.TokenResponseConfig, 'idToken', string>();
optional<AuthSession.TokenResponseConfig, 'issuedAt', number>();
optional<AuthSession.TokenResponseConfig, 'refreshToken', string>();
optional<AuthSession.TokenResponseConfig, 'scope', string>();
optional<AuthSession.TokenResponseConfig, 'state', string>();
optional<AuthSession.TokenResponseConfig, 'tokenType', AuthSession.TokenType>();
equal<AuthSession.TokenResponseConfig['rawResponse'], unknown>();

// ServerTokenResponseConfig
required<AuthSession.ServerTokenResponseConfig, 'access_token', string>();
optional<AuthSession.ServerTokenResponseConfig, 'expires_in', number>();
optional<AuthSession.ServerTokenResponseConfig, 'id_token', string>();
optional<AuthSession.ServerTokenResponseConfig, 'issued_at', number>();
optional<AuthSession.ServerTokenResponseConfig, 'refresh_token', string>();
optional<AuthSession.ServerTokenResponseConfig, 'scope', string>();
optional<AuthSession.ServerTokenResponseConfig, 'token_type', AuthSession.TokenType>();

// Errors as data: ResponseErrorConfig, AuthErrorConfig, and the properties of ResponseError, TokenError and AuthError
// oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
assignable<AuthSession.ResponseErrorConfig, Record<string, any>>();
required<AuthSession.ResponseErrorConfig, 'error', string>();
optional<AuthSession.ResponseErrorConfig, 'error_description', string>();
optional<AuthSession.ResponseErrorConfig, 'error_uri', string>();
assignable<AuthSession.AuthErrorConfig, AuthSession.ResponseErrorConfig>();
optional<AuthSession.AuthErrorConfig, 'state', string>();
required<AuthSession.ResponseError, 'code', string>();
optional<AuthSession.ResponseError, 'description', string>();
// oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
equal<AuthSession.ResponseError['info'], any>();
required<AuthSession.ResponseError, 'params', Record<string, string>>();
optional<AuthSession.ResponseError, 'uri', string>();
assignable<AuthSession.ResponseError, Error>();
assignable<AuthSession.TokenError, AuthSession.ResponseError>();
assignable<AuthSession.AuthError, AuthSession.ResponseError>();
optional<AuthSession.AuthError, 'state', string>();
assignable<[AuthSession.ResponseErrorConfig], ConstructorParameters<typeof AuthSession.ResponseError>>();
assignable<[AuthSession.ResponseErrorConfig], ConstructorParameters<typeof AuthSession.TokenError>>();
equal<ConstructorParameters<typeof AuthSession.AuthError>, [params: AuthSession.AuthErrorConfig]>();

// AuthSessionResult
type Completed = Extract<AuthSession.AuthSessionResult, { type: 'success' | 'error' }>;
type Simple = Exclude<AuthSession.AuthSessionResult, Completed>;
required<Simple, 'type', 'cancel' | 'dismiss' | 'opened' | 'locked'>();
required<Completed, 'type', 'error' | 'success'>();
required<Completed, 'authentication', AuthSession.TokenResponse | null>();
optional<Completed, 'error', AuthSession.AuthError | null>();
required<Completed, 'errorCode', string | null>();
required<Completed, 'params', Record<string, string>>();
required<Completed, 'url', string>();
required<Completed, 'event', AuthSession.RedirectEvent>();

// Other types
assignable<AuthSession.Headers, Record<string, string>>();
optional<AuthSession.Headers, 'Accept', string>();
optional<AuthSession.Headers, 'Authorization', string>();
required<AuthSession.Headers, 'Content-Type', string>();
optional<AuthSession.FetchRequest, 'body', Record<string, string>>();
optional<AuthSession.FetchRequest, 'dataType', string>();
assignable<AuthSession.Headers, AuthSession.FetchRequest['headers']>();
optional<AuthSession.FetchRequest, 'method', string>();
assignable<AuthSession.ProviderAuthRequestConfig, AuthSession.AuthRequestConfig>();
optional<AuthSession.ProviderAuthRequestConfig, 'language', string>();
// The configurations of two providers, whose names it leaves out.
assignable<AuthSession.FacebookAuthRequestConfig, AuthSession.ProviderAuthRequestConfig>();
optional<AuthSession.FacebookAuthRequestConfig, 'androidClientId', string>();
optional<AuthSession.FacebookAuthRequestConfig, 'iosClientId', string>();
optional<AuthSession.FacebookAuthRequestConfig, 'webClientId', string>();
assignable<AuthSession.GoogleAuthRequestConfig, AuthSession.ProviderAuthRequestConfig>();
optional<AuthSession.GoogleAuthRequestConfig, 'androidClientId', string>();
optional<AuthSession.GoogleAuthRequestConfig, 'iosClientId', string>();
optional<AuthSession.GoogleAuthRequestConfig, 'webClientId', string>();
optional<AuthSession.GoogleAuthRequestConfig, 'language', string>();
optional<AuthSession.GoogleAuthRequestConfig, 'loginHint', string>();
optional<AuthSession.GoogleAuthRequestConfig, 'selectAccount', boolean>();
optional<AuthSession.GoogleAuthRequestConfig, 'shouldAutoExchangeCode', boolean>();
// oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
equal<AuthSession.UserInfo, Record<string, any>>();

// Enumerations
equal<typeof AuthSession.CodeChallengeMethod, Readonly<{ Plain: 'plain'; S256: 'S256' }>>();
equal<AuthSession.CodeChallengeMethod, 'plain' | 'S256'>();
required<typeof AuthSession.GrantType, 'AuthorizationCode', 'authorization_code'>();
required<typeof AuthSession.GrantType, 'ClientCredentials', 'client_credentials'>();
required<typeof AuthSession.GrantType, 'Implicit', 'implicit'>();
required<typeof AuthSession.GrantType, 'RefreshToken', 'refresh_token'>();
equal<AuthSession.GrantType, 'authorization_code' | 'client_credentials' | 'implicit' | 'refresh_token'>();
required<typeof AuthSession.Prompt, 'Consent', 'consent'>();
required<typeof AuthSession.Prompt, 'Login', 'login'>();
required<typeof AuthSession.Prompt, 'None', 'none'>();
required<typeof AuthSession.Prompt, 'SelectAccount', 'select_account'>();
equal<AuthSession.Prompt, 'consent' | 'login' | 'none' | 'select_account'>();
required<typeof AuthSession.ResponseType, 'Code', 'code'>();
required<typeof AuthSession.ResponseType, 'IdToken', 'id_token'>();
required<typeof AuthSession.ResponseType, 'Token', 'token'>();
equal<AuthSession.ResponseType, 'code' | 'id_token' | 'token'>();
required<typeof AuthSession.TokenTypeHint, 'AccessToken', 'access_token'>();
required<typeof AuthSession.TokenTypeHint, 'RefreshToken', 'refresh_token'>();
equal<AuthSession.TokenTypeHint, 'access_token' | 'refresh_token'>();
// Beyond the specification: RFC 9449 section 5.
equal<AuthSession.TokenType, 'bearer' | 'mac' | 'dpop'>();

// Area A: client operations
type WithTokenEndpoint = Pick<AuthSession.DiscoveryDocument, 'tokenEndpoint'>;
type WithAuthorizationEndpoint = Pick<AuthSession.DiscoveryDocument, 'authorizationEndpoint'>;
type PromptAsync = (options?: AuthSession.AuthRequestPromptOptions) => Promise<AuthSession.AuthSessionResult>;
operation<
  typeof AuthSession.useAuthRequest,
  [config: AuthSession.AuthRequestConfig, discovery: AuthSession.DiscoveryDocument | null],
  [AuthSession.AuthRequest | null, AuthSession.AuthSessionResult | null, PromptAsync]
>();
operation<
  typeof AuthSession.useAuthRequestResult,
  [
    request: AuthSession.AuthRequest | null,
    discovery: AuthSession.DiscoveryDocument | null,
    customOptions?: AuthSession.AuthRequestPromptOptions | undefined,
  ],
  [AuthSession.AuthSessionResult | null, PromptAsync]
>();
operation<
  typeof AuthSession.useAutoDiscovery,
  [issuerOrDiscovery: AuthSession.IssuerOrDiscovery],
  AuthSession.DiscoveryDocument | null
>();
operation<
  typeof AuthSession.useLoadedAuthRequest,
  [
    config: AuthSession.AuthRequestConfig,
    discovery: AuthSession.DiscoveryDocument | null,
    AuthRequestInstance: typeof AuthSession.AuthRequest,
  ],
  AuthSession.AuthRequest | null
>();
operation<typeof AuthSession.dismiss, [], void>();
operation<
  typeof AuthSession.exchangeCodeAsync,
  [config: AuthSession.AccessTokenRequestConfig, discovery: WithTokenEndpoint],
  Promise<AuthSession.TokenResponse>
>();
operation<typeof AuthSession.fetchDiscoveryAsync, [issuer: string], Promise<AuthSession.DiscoveryDocument>>();
operation<
  typeof AuthSession.fetchUserInfoAsync,
  [
    config: Pick<AuthSession.TokenResponse, 'accessToken'>,
    discovery: Pick<AuthSession.DiscoveryDocument, 'userInfoEndpoint'>,
  ],
  // oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
  Promise<Record<string, any>>
>();
operation<typeof AuthSession.getCurrentTimeInSeconds, [], number>();
operation<typeof AuthSession.getDefaultReturnUrl, [urlPath?: string | undefined], string>();
operation<typeof AuthSession.getRedirectUrl, [path?: string | undefined], string>();
operation<typeof AuthSession.issuerWithWellKnownUrl, [issuer: string], string>();
operation<
  typeof AuthSession.loadAsync,
  [config: AuthSession.AuthRequestConfig, issuerOrDiscovery: AuthSession.IssuerOrDiscovery],
  Promise<AuthSession.AuthRequest>
>();
operation<
  typeof AuthSession.makeRedirectUri,
  [options?: AuthSession.AuthSessionRedirectUriOptions | undefined],
  string
>();
operation<
  typeof AuthSession.refreshAsync,
  [config: AuthSession.RefreshTokenRequestConfig, discovery: WithTokenEndpoint],
  Promise<AuthSession.TokenResponse>
>();
operation<
  typeof AuthSession.requestAsync<number>,
  [requestUrl: string, fetchRequest: AuthSession.FetchRequest],
  Promise<number>
>();
operation<
  typeof AuthSession.resolveDiscoveryAsync,
  [issuerOrDiscovery: AuthSession.IssuerOrDiscovery],
  Promise<AuthSession.DiscoveryDocument>
>();
operation<
  typeof AuthSession.revokeAsync,
  [config: AuthSession.RevokeTokenRequestConfig, discovery: Pick<AuthSession.DiscoveryDocument, 'revocationEndpoint'>],
  Promise<boolean>
>();

// Class methods: AuthRequest
type Method<Class, Name extends keyof Class> = Class[Name] extends Operation ? Class[Name] : never;
operation<Method<AuthSession.AuthRequest, 'getAuthRequestConfigAsync'>, [], Promise<AuthSession.AuthRequestConfig>>();
operation<
  Method<AuthSession.AuthRequest, 'makeAuthUrlAsync'>,
  [discovery: WithAuthorizationEndpoint],
  Promise<string>
>();
operation<Method<AuthSession.AuthRequest, 'parseReturnUrl'>, [url: string], Completed>();
operation<Method<AuthSession.AuthRequest, 'parseReturnUrlAsync'>, [url: string], Promise<Completed>>();
operation<
  Method<AuthSession.AuthRequest, 'promptAsync'>,
  [discovery: WithAuthorizationEndpoint, promptOptions?: AuthSession.AuthRequestPromptOptions | undefined],
  Promise<AuthSession.AuthSessionResult>
>();

// Class methods: Request (base), TokenRequest
type Base = AuthSession.Request<{ of: 'any' }, symbol>;
operation<Method<Base, 'getQueryBody'>, [], Record<string, string>>();
operation<Method<Base, 'getRequestConfig'>, [], { of: 'any' }>();
operation<Method<Base, 'performAsync'>, [discovery: AuthSession.DiscoveryDocument], Promise<symbol>>();
operation<Method<Base, 'getHeaders'>, [], AuthSession.Headers>();
assignable<
  AuthSession.TokenRequest<AuthSession.TokenRequestConfig>,
  AuthSession.Request<AuthSession.TokenRequestConfig, AuthSession.TokenResponse>
>();
required<AuthSession.TokenRequest, 'grantType', AuthSession.GrantType>();

// Class methods: AccessTokenRequest
assignable<AuthSession.AccessTokenRequest, AuthSession.TokenRequest<AuthSession.AccessTokenRequestConfig>>();
equal<ConstructorParameters<typeof AuthSession.AccessTokenRequest>, [config: AuthSession.AccessTokenRequestConfig]>();
required<AuthSession.AccessTokenRequest, 'grantType', AuthSession.GrantType>();
operation<
  Method<AuthSession.AccessTokenRequest, 'performAsync'>,
  [discovery: WithTokenEndpoint],
  Promise<AuthSession.TokenResponse>
>();
type AccessTokenConfig = ReturnType<AuthSession.AccessTokenRequest['getRequestConfig']>;
assignable<
  'clientId' | 'clientSecret' | 'code' | 'extraParams' | 'grantType' | 'redirectUri' | 'scopes',
  keyof AccessTokenConfig
>();

// Class methods: RefreshTokenRequest
assignable<AuthSession.RefreshTokenRequest, AuthSession.TokenRequest<AuthSession.RefreshTokenRequestConfig>>();
equal<ConstructorParameters<typeof AuthSession.RefreshTokenRequest>, [config: AuthSession.RefreshTokenRequestConfig]>();
required<AuthSession.RefreshTokenRequest, 'grantType', AuthSession.GrantType>();
operation<
  Method<AuthSession.RefreshTokenRequest, 'performAsync'>,
  [discovery: WithTokenEndpoint],
  Promise<AuthSession.TokenResponse>
>();
type RefreshTokenConfig = ReturnType<AuthSession.RefreshTokenRequest['getRequestConfig']>;
assignable<
  'clientId' | 'clientSecret' | 'extraParams' | 'grantType' | 'refreshToken' | 'scopes',
  keyof RefreshTokenConfig
>();

// Class methods: RevokeTokenRequest
equal<ConstructorParameters<typeof AuthSession.RevokeTokenRequest>, [config: AuthSession.RevokeTokenRequestConfig]>();
operation<
  Method<AuthSession.RevokeTokenRequest, 'performAsync'>,
  [discovery: Pick<AuthSession.DiscoveryDocument, 'revocationEndpoint'>],
  Promise<boolean>
>();
type RevokeTokenConfig = ReturnType<AuthSession.RevokeTokenRequest['getRequestConfig']>;
assignable<'clientId' | 'clientSecret' | 'token' | 'tokenTypeHint', keyof RevokeTokenConfig>();

// Class methods: TokenResponse
// oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
operation<typeof AuthSession.TokenResponse.fromQueryParams, [params: Record<string, any>], AuthSession.TokenResponse>();
// An interface is not assignable to Record<string, unknown>.
assignable<[AuthSession.ServerTokenResponseConfig], Parameters<typeof AuthSession.TokenResponse.fromQueryParams>>();
operation<
  typeof AuthSession.TokenResponse.isTokenFresh,
  [token: Pick<AuthSession.TokenResponse, 'expiresIn' | 'issuedAt'>, secondsMargin?: number | undefined],
  boolean
>();
operation<
  Method<AuthSession.TokenResponse, 'refreshAsync'>,
  [config: Omit<AuthSession.TokenRequestConfig, 'grantType' | 'refreshToken'>, discovery: WithTokenEndpoint],
  Promise<AuthSession.TokenResponse>
>();
operation<Method<AuthSession.TokenResponse, 'shouldRefresh'>, [], boolean>();
operation<Method<AuthSession.TokenResponse, 'getRequestConfig'>, [], AuthSession.TokenResponseConfig>();
