import { platform } from 'appkit-web-browser';
import type { Platform } from 'appkit-web-browser';
import type { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import type { AuthSessionResult } from './auth-session-result.ts';
import { ResponseType } from './enumerations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { chooseClientId, mergeScopes, toFlow, useProviderRequest } from './provider-request.ts';
import type { FacebookAuthRequestConfig } from './provider-request-config.ts';
import { makeRedirectUri } from './redirect-uri.ts';
import type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';
import type { PromptAsync } from './use-auth-request.ts';

export type { FacebookAuthRequestConfig } from './provider-request-config.ts';

const SCOPES = ['public_profile', 'email'];

/** The size of the sign-in pages, in CSS pixels. */
const POPUP = { width: 700, height: 600 };

/**
 * The endpoints of Facebook. They contain no version of its Graph API, so that they do not expire with one.
 *
 * @deprecated Use `useAuthRequest` with a discovery document of your own.
 */
export const discovery: DiscoveryDocument = {
  authorizationEndpoint: 'https://www.facebook.com/dialog/oauth',
  tokenEndpoint: 'https://graph.facebook.com/oauth/access_token',
};

/**
 * Creates an authorization request to Facebook while a component is shown.
 *
 * The public profile and e-mail address are always requested. The response type is `token` unless another is given; a
 * code is left to your server, which has the secret that its exchange takes.
 *
 * @param config – with the client id of each platform, or one `clientId` for all.
 * @param redirectUriOptions – for `makeRedirectUri`, where the configuration has no `redirectUri`.
 * @returns as `useAuthRequest`.
 * @throws TypeError with code `ERR_AUTH_ARGUMENT` without a client id.
 * @deprecated Use `useAuthRequest` with {@link discovery}, or Facebook's own library.
 */
export function useAuthRequest(
  config: Partial<FacebookAuthRequestConfig> = {},
  redirectUriOptions: AuthSessionRedirectUriOptions = {},
): [AuthRequest | null, AuthSessionResult | null, PromptAsync] {
  const request = toFacebookRequest(config, { redirectUriOptions });
  return useProviderRequest(request, { discovery, exchanges: false, windowFeatures: POPUP });
}

/** The request to Facebook. */
export function toFacebookRequest(
  config: Partial<FacebookAuthRequestConfig>,
  {
    redirectUriOptions = {},
    on = platform,
  }: { redirectUriOptions?: AuthSessionRedirectUriOptions; on?: Platform } = {},
): AuthRequestConfig {
  const { language } = config;
  const clientId = chooseClientId(config, 'Facebook', on);
  const native = `fb${clientId}://authorize`;
  return {
    ...config,
    clientId,
    ...toFlow(config.responseType ?? ResponseType.Token),
    redirectUri: config.redirectUri ?? makeRedirectUri({ native, ...redirectUriOptions }),
    scopes: mergeScopes(config.scopes, SCOPES),
    extraParams: { display: 'popup', ...(language === undefined ? {} : { locale: language }), ...config.extraParams },
  };
}
