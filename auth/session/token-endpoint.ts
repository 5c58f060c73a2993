import { clientCredentials } from './client-credentials.ts';
import { endpointOf } from './endpoint.ts';
import type { GrantType } from './enumerations.ts';
import type { Issuance } from './issued-id-token.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { Headers } from './request.ts';
import { send } from './send.ts';
import type { Answer, SendOptions } from './send.ts';
import type { RevokeTokenRequestConfig, TokenRequestConfig } from './token-request-config.ts';

/** A form for an endpoint of the provider. */
export interface Form {
  headers: Headers;
  body: Record<string, string>;
  /** The secret before it is encoded for a header. */
  clientSecret?: string | undefined;
}

/**
 * Creates the form that requests tokens.
 *
 * @param grant – the parameters of the grant; no extra parameter replaces one of them.
 */
export function tokenForm(config: TokenRequestConfig, grantType: GrantType, grant: Record<string, string>): Form {
  const { clientSecret, extraParams, scopes = [] } = config;
  return {
    headers: formHeaders(config),
    clientSecret,
    body: {
      grant_type: grantType,
      ...clientCredentials(config).params,
      ...(scopes.length > 0 ? { scope: scopes.join(' ') } : {}),
      ...grant,
      ...extrasBeside(extraParams, ['grant_type', 'client_id', 'client_secret', 'scope', ...Object.keys(grant)]),
    },
  };
}

/** Creates the form that revokes a token or asks about it. */
export function formAbout(config: RevokeTokenRequestConfig): Form {
  const { clientSecret, extraParams, token, tokenTypeHint } = config;
  return {
    headers: formHeaders(config),
    clientSecret,
    body: {
      token,
      ...(tokenTypeHint === undefined ? {} : { token_type_hint: tokenTypeHint }),
      ...clientCredentials(config).params,
      ...extrasBeside(extraParams, ['token', 'token_type_hint', 'client_id', 'client_secret']),
    },
  };
}

/** The headers of a form, with the client's credentials if they are sent there. */
export function formHeaders(config: Partial<TokenRequestConfig>): Headers {
  const { headers } = clientCredentials(config);
  const own = ['content-type', ...Object.keys(headers).map((name) => name.toLowerCase())];
  const extra = Object.entries(config.extraHeaders ?? {}).filter(([name]) => !own.includes(name.toLowerCase()));
  return {
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
    ...Object.fromEntries(extra),
    ...headers,
  };
}

/** The extra parameters whose names are not taken. */
export function extrasBeside(extra: Record<string, string> = {}, taken: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !taken.includes(name)));
}

/** The contents of a form, which errors must not repeat. */
export function sentIn({ body, clientSecret = '' }: Form): Record<string, string> {
  return { ...body, clientSecret };
}

/** Sends a form. */
export async function sendForm(form: Form, url: string, endpoint: string, options: SendOptions): Promise<Answer> {
  const body = async (): Promise<string> =>
    new URLSearchParams({ ...form.body, ...(await options.clientAuth?.({ ...form, url })) }).toString();
  return send(url, { method: 'POST', headers: form.headers, body, endpoint }, options);
}

/**
 * Sends a form to the token endpoint and reads the fields of its answer, which must include an access token. Its
 * id_token, if any, is checked.
 */
export async function askForTokens(
  form: Form,
  discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
  issuance: Issuance,
  options: SendOptions,
): Promise<Record<string, unknown>> {
  const answer = await sendForm(form, endpointOf(discovery, 'tokenEndpoint'), 'tokenEndpoint', options);
  // The check may need oauth4webapi, which is not needed before.
  const { readTokenAnswer } = await import('./token-answer.ts');
  return readTokenAnswer(answer, { sent: sentIn(form), discovery, issuance }, options);
}
