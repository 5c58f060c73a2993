import { openAuthSessionAsync } from 'appkit-web-browser';
import type { AuthRequestPromptOptions } from './auth-request-config.ts';
import type { SimpleAuthSessionResult } from './auth-session-result.ts';
import { checkReturnUrl } from './check-answer.ts';
import { codedTypeError, missing } from './coded-error.ts';
import { assertEndpoint, endpointOf } from './endpoint.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { randomText } from './random-text.ts';
import { withQuery } from './request-async.ts';

/** The user to sign out, and where the user goes afterwards. */
export interface EndSessionConfig {
  /** Lets the endpoint be http on a host other than this machine, for a development server. Default: `false`. */
  allowInsecureRequests?: boolean | undefined;
  /** The id_token of the sign-in. Without it, the provider asks the user for confirmation. */
  idToken?: string | undefined;
  /** Needed by some providers, and without an id_token. */
  clientId?: string | undefined;
  /** Where the provider sends the user afterwards. It must be registered there. */
  postLogoutRedirectUri?: string | undefined;
  /** Binds the return to this request. Default: 256 random bits when there is a redirect URI. */
  state?: string | undefined;
  /** Further parameters, such as `logout_hint` or `ui_locales`. They never replace one of the request's own. */
  extraParams?: Record<string, string> | undefined;
}

/** How signing out ended. `success`: the provider has sent the user back. */
export type EndSessionResult = SimpleAuthSessionResult | { type: 'success' };

/**
 * Creates the URL that signs the user out at the provider, for an app that opens it itself.
 *
 * The app must delete its tokens itself; `revokeAsync` revokes them.
 *
 * @throws TypeError without an `endSessionEndpoint`.
 * @see OpenID Connect RP-Initiated Logout 1.0 section 2
 */
export function makeEndSessionUrl(
  config: EndSessionConfig,
  discovery: Pick<DiscoveryDocument, 'endSessionEndpoint'>,
): string {
  const endpoint = endpointOf(discovery, 'endSessionEndpoint');
  assertEndpoint(endpoint, 'endSessionEndpoint', config);
  const { clientId, extraParams, idToken, postLogoutRedirectUri } = config;
  if (config.state === '') throw missing('state', 'Signing out');
  const state = config.state ?? (postLogoutRedirectUri === undefined ? undefined : randomText());
  const own = { id_token_hint: idToken, client_id: clientId, post_logout_redirect_uri: postLogoutRedirectUri, state };
  const params = Object.entries({ ...extraParams, ...own }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return withQuery(endpoint, new URLSearchParams(params).toString());
}

/**
 * Opens the provider's page that signs the user out there, and waits until the user is back. Call it in the click
 * itself, like a prompt.
 *
 * @param config – with a `postLogoutRedirectUri`: the page at it calls `maybeCompleteAuthSession()`.
 * @throws TypeError without redirect URI or `endSessionEndpoint`; AuthError with code `state_mismatch` when the user came back
 *   from somewhere else, or with the provider's code for its error.
 * @see OpenID Connect RP-Initiated Logout 1.0 sections 2 and 3
 */
export async function endSessionAsync(
  config: EndSessionConfig & { postLogoutRedirectUri: string },
  discovery: Pick<DiscoveryDocument, 'endSessionEndpoint'>,
  options: Omit<AuthRequestPromptOptions, 'url'> = {},
): Promise<EndSessionResult> {
  const { postLogoutRedirectUri, state = randomText() } = config;
  if (!postLogoutRedirectUri) {
    throw codedTypeError(
      'ERR_AUTH_ARGUMENT',
      'There is no postLogoutRedirectUri, so the user would not come back. Open the URL of makeEndSessionUrl instead.',
    );
  }
  const url = makeEndSessionUrl({ ...config, state }, discovery);
  const result = await openAuthSessionAsync(url, postLogoutRedirectUri, options);
  if (result.type !== 'success') return { type: result.type };
  const { error } = checkReturnUrl(result.url, { state, metadata: undefined });
  if (error) throw error;
  return { type: 'success' };
}
