import type { AuthRequestConfig } from './auth-request-config.ts';

/**
 * An authorization request with common extra parameters of identity providers.
 *
 * `AuthRequest` sends the fields of `AuthRequestConfig` only: a provider's own parameters are given in `extraParams`.
 */
export interface ProviderAuthRequestConfig extends AuthRequestConfig {
  /** The language of the pages, when not that of the system: ISO 639-1, and ISO 3166-1 alpha-2 after a dash. */
  language?: string | undefined;
}

/** @deprecated Use `AuthRequestConfig` with the client id of the platform. */
export interface FacebookAuthRequestConfig extends ProviderAuthRequestConfig {
  /** The client that is registered for Android. */
  androidClientId?: string | undefined;
  /** The client that is registered for iOS. */
  iosClientId?: string | undefined;
  /** The client that is registered for web. */
  webClientId?: string | undefined;
}

/** @deprecated Use `AuthRequestConfig` with the client id of the platform. */
export interface GoogleAuthRequestConfig extends ProviderAuthRequestConfig {
  /** The client that is registered for Android. */
  androidClientId?: string | undefined;
  /** The client that is registered for iOS. */
  iosClientId?: string | undefined;
  /** The client that is registered for web. */
  webClientId?: string | undefined;
  /** Who is expected to sign in, such as an e-mail address. */
  loginHint?: string | undefined;
  /** Whether the user is asked which account. Default: `false`. */
  selectAccount?: boolean | undefined;
  /** Whether the code is exchanged at once. Default: `true` on Android and iOS when the response type is `code`. */
  shouldAutoExchangeCode?: boolean | undefined;
}
