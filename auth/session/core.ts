export { dismissAuthSession as dismiss, maybeCompleteAuthSession } from 'appkit-web-browser';
export { setAppContext } from './app-context.ts';
export type { AppContext } from './app-context.ts';
export { AuthRequest } from './auth-request.ts';
export type { AuthRequestConfig, AuthRequestPromptOptions } from './auth-request-config.ts';
export type {
  AuthSessionResult,
  CompletedAuthSessionResult,
  RedirectEvent,
  SimpleAuthSessionResult,
} from './auth-session-result.ts';
export { isAuthSessionUrl } from './auth-session-url.ts';
export { fetchDiscoveryAsync, issuerWithWellKnownUrl, resolveDiscoveryAsync } from './discovery.ts';
export type { DiscoveryOptions } from './discovery.ts';
export { CodeChallengeMethod, GrantType, Prompt, ResponseType, TokenTypeHint } from './enumerations.ts';
export type { TokenType } from './enumerations.ts';
export { AuthError, ResponseError } from './errors.ts';
export { TokenError } from './token-error.ts';
export type { AuthErrorConfig, ResponseErrorConfig, UnusableAnswer } from './errors.ts';
export { loadAsync } from './load.ts';
export { exchangeCodeAsync, refreshAsync, revokeAsync } from './operations.ts';
export type {
  DiscoveryDocument,
  Issuer,
  IssuerOrDiscovery,
  ProviderMetadata,
  ProviderMetadataEndpoints,
} from './provider-metadata.ts';
export type {
  FacebookAuthRequestConfig,
  GoogleAuthRequestConfig,
  ProviderAuthRequestConfig,
} from './provider-request-config.ts';
export { getDefaultReturnUrl, getRedirectUrl, makeRedirectUri } from './redirect-uri.ts';
export type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';
export { requestAsync } from './request-async.ts';
export type { FetchRequest } from './request-async.ts';
export { Request } from './request.ts';
export type { Headers } from './request.ts';
export type { ClientAuth, KeyProof, SendOptions } from './send.ts';
export type {
  AccessTokenRequestConfig,
  ClientAuthMethod,
  RefreshTokenRequestConfig,
  RevokeTokenRequestConfig,
  TokenRequestConfig,
} from './token-request-config.ts';
export { AccessTokenRequest, RefreshTokenRequest, RevokeTokenRequest, TokenRequest } from './token-requests.ts';
export { TokenResponse } from './token-response.ts';
export { getCurrentTimeInSeconds } from './current-time.ts';
export type { ServerTokenResponseConfig, TokenResponseConfig } from './token-response.ts';
export { fetchUserInfoAsync } from './user-info.ts';
export type { UserInfo } from './user-info.ts';
export { endSessionAsync, makeEndSessionUrl } from './end-session.ts';
export type { EndSessionConfig, EndSessionResult } from './end-session.ts';
