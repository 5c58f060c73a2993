/** Pushed authorization requests: `appkit-auth-session/par`. */
import { processPushedAuthorizationResponse } from 'oauth4webapi';
import { AuthRequest } from './auth-request.ts';
import type { AuthSessionResult } from './auth-session-result.ts';
import { clientCredentials } from './client-credentials.ts';
import type { ClientKey } from './client-key.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { withQuery } from './request-async.ts';
import { parseReturnParams } from './return-url.ts';
import type { SendOptions } from './send.ts';
import { extensionEndpoint, readStandardAnswer, serverOf } from './standard-answer.ts';
import { formHeaders, sendForm, sentIn } from './token-endpoint.ts';
import type { ClientAuthMethod } from './token-request-config.ts';

const ENDPOINT = 'pushed_authorization_request_endpoint';

/** How a request is pushed. */
export interface PushOptions extends SendOptions {
  /** How the secret of the request is sent. Default: `client_secret_basic`. */
  clientAuthMethod?: ClientAuthMethod | undefined;
  /** Signs the request with this private key before it is pushed, on servers (RFC 9126 section 3). Default: none is signed. */
  requestKey?: ClientKey | undefined;
}

/** A request that has been pushed. */
export interface PushResult {
  /** The URL that the user is sent to; it is the `url` of the request now. */
  url: string;
  /** How long it can be opened, in seconds. */
  expiresIn: number;
}

/**
 * Sends an authorization request to the server itself, so that the URL the user opens tells and lets change nothing. Call it
 * in place of {@link AuthRequest.makeAuthUrlAsync}, and before each prompt.
 *
 * @param discovery – its `discoveryDocument` names the `pushed_authorization_request_endpoint`.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without endpoints.
 * @see RFC 9126 section 2
 */
export async function pushAuthRequestAsync(
  request: AuthRequest,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  options: PushOptions = {},
): Promise<PushResult> {
  extensionEndpoint(discovery, ENDPOINT);
  const { requestKey: key, ...sending } = options;
  const whole = key
    ? await (await import('./jar.ts')).signAuthRequestAsync(request, discovery, { key })
    : await request.makeAuthUrlAsync(discovery);
  return push(request, whole, discovery, sending);
}

/**
 * An authorization request that is pushed, for hooks: `useLoadedAuthRequest(config, discovery, PushedAuthRequest)`. When its URL has
 * expired before the click, it is pushed again, and the popup opens after that.
 */
export class PushedAuthRequest extends AuthRequest {
  // In milliseconds. A little earlier, so that it can be opened.
  #goodUntil = 0;

  /** Pushes the request. @throws as {@link pushAuthRequestAsync}. */
  override async makeAuthUrlAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  ): Promise<string> {
    const { allowInsecureRequests } = this;
    const { url, expiresIn } = await push(this, await super.makeAuthUrlAsync(discovery), discovery, {
      allowInsecureRequests,
    });
    this.#goodUntil = Date.now() + (expiresIn - 5) * 1000;
    return url;
  }

  override async promptAsync(...given: Parameters<AuthRequest['promptAsync']>): Promise<AuthSessionResult> {
    if (Date.now() > this.#goodUntil) this.url = null;
    return super.promptAsync(...given);
  }
}

async function push(
  request: AuthRequest,
  whole: string,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  { clientAuthMethod, ...options }: PushOptions,
): Promise<PushResult> {
  const endpoint = extensionEndpoint(discovery, ENDPOINT);
  const { params } = parseReturnParams(whole);
  const { clientId, clientSecret } = request;
  const client = { clientId, clientSecret, clientAuthMethod };
  const body = { ...params, ...clientCredentials(client).params };
  const form = { headers: formHeaders(client), body, clientSecret };
  const answer = await sendForm(form, endpoint, ENDPOINT, options);
  const pushed = await readStandardAnswer(answer, {
    sent: sentIn(form),
    status: 201,
    check: (response) =>
      processPushedAuthorizationResponse(serverOf(discovery.discoveryDocument), { client_id: clientId }, response),
  });
  const query = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri });
  // makeAuthUrlAsync has seen that there is one.
  request.url = withQuery(discovery.authorizationEndpoint ?? '', query.toString());
  return { url: request.url, expiresIn: pushed.expires_in };
}
