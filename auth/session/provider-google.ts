import { platform } from 'appkit-web-browser';
import type { Platform } from 'appkit-web-browser';
import type { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import type { AuthSessionResult } from './auth-session-result.ts';
import { Prompt, ResponseType } from './enumerations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { chooseClientId, isInstalled, mergeScopes, toFlow, useProviderRequest } from './provider-request.ts';
import type { GoogleAuthRequestConfig } from './provider-request-config.ts';
import { makeRedirectUri } from './redirect-uri.ts';
import type { AuthSessionRedirectUriOptions } from './redirect-uri-options.ts';
import type { PromptAsync } from './use-auth-request.ts';

export type { GoogleAuthRequestConfig } from './provider-request-config.ts';

const SCOPES = [
  'openid',
  'https://www.googleapis.com/auth/userinfo.profile',
  'https://www.googleapis.com/auth/userinfo.email',
];

/** The size of the sign-in pages, in CSS pixels. */
const POPUP = { width: 515, height: 680 };

/**
 * Google's endpoints, which its discovery document contains too.
 *
 * @deprecated Use `useAutoDiscovery('https://accounts.google.com')`.
 */
export const discovery: DiscoveryDocument = {
  authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenEndpoint: 'https://oauth2.googleapis.com/token',
  revocationEndpoint: 'https://oauth2.googleapis.com/revoke',
  userInfoEndpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  // The metadata to check an id_token with.
  discoveryDocument: {
    issuer: 'https://accounts.google.com',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    id_token_signing_alg_values_supported: ['RS256'],
  },
};

/**
 * Creates an authorization request to Google while a component is shown.
 *
 * The profile and e-mail address are always requested. The response type is `code` in an installed app or with a
 * secret, whose code is exchanged at once in the installed app; otherwise `token`.
 *
 * @param config – with the client id of each platform, or one `clientId` for all.
 * @param redirectUriOptions – for `makeRedirectUri`, where the configuration has no `redirectUri`.
 * @returns as `useAuthRequest`. The result of an exchanged code has `authentication`, and its tokens among `params`; an
 *   exchange that fails is a result of type `error`.
 * @throws TypeError with code `ERR_AUTH_ARGUMENT` without a client id.
 * @deprecated Use `useAuthRequest` with `useAutoDiscovery('https://accounts.google.com')`.
 */
export function useAuthRequest(
  config: Partial<GoogleAuthRequestConfig> = {},
  redirectUriOptions: AuthSessionRedirectUriOptions = {},
): [AuthRequest | null, AuthSessionResult | null, PromptAsync] {
  const request = toGoogleRequest(config, { redirectUriOptions });
  const exchanges =
    request.responseType === ResponseType.Code && (config.shouldAutoExchangeCode ?? isInstalled(platform));
  return useProviderRequest(request, { discovery, exchanges, windowFeatures: POPUP });
}

/**
 * As {@link useAuthRequest}, and the result has an id_token: on a page the answer itself contains it, checked with
 * Google's keys; in an installed app it comes with the exchange of the code.
 *
 * @deprecated Use `useAuthRequest` with `useAutoDiscovery('https://accounts.google.com')`.
 */
export function useIdTokenAuthRequest(
  config: Partial<GoogleAuthRequestConfig> = {},
  redirectUriOptions: AuthSessionRedirectUriOptions = {},
): [AuthRequest | null, AuthSessionResult | null, PromptAsync] {
  const responseType = isInstalled(platform) ? ResponseType.Code : ResponseType.IdToken;
  return useAuthRequest({ ...config, responseType }, redirectUriOptions);
}

/** What Google is asked for. */
export function toGoogleRequest(
  config: Partial<GoogleAuthRequestConfig>,
  {
    redirectUriOptions = {},
    on = platform,
  }: { redirectUriOptions?: AuthSessionRedirectUriOptions; on?: Platform } = {},
): AuthRequestConfig {
  const { clientSecret, language, loginHint, selectAccount } = config;
  const clientId = chooseClientId(config, 'Google', on);
  const hasCode = isInstalled(on) || Boolean(clientSecret);
  const prompts = new Set([config.prompt ?? [], selectAccount ? Prompt.SelectAccount : []].flat());
  const native = `${toScheme(clientId)}:/oauthredirect`;
  return {
    ...config,
    clientId,
    ...toFlow(config.responseType ?? (hasCode ? ResponseType.Code : ResponseType.Token)),
    redirectUri: config.redirectUri ?? makeRedirectUri({ native, ...redirectUriOptions }),
    scopes: mergeScopes(config.scopes, SCOPES),
    ...(prompts.size > 0 ? { prompt: [...prompts] } : {}),
    extraParams: {
      ...(language === undefined ? {} : { hl: language }),
      ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      ...config.extraParams,
    },
  };
}

/** The scheme that Google assigns to an installed app: its reversed client id. */
function toScheme(clientId: string): string {
  return clientId.split('.').toReversed().join('.');
}
