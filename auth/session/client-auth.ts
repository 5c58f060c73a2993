/** Client authentication by signature, on servers: `appkit-auth-session/client-auth`. */
import * as oauth from 'oauth4webapi';
import { codedTypeError } from './coded-error.ts';
import { importClientKey } from './client-key.ts';
import type { ClientKey } from './client-key.ts';
import type { ClientAuth } from './send.ts';
import { assertServer } from './server-only.ts';

export type { ClientKey } from './client-key.ts';
export type { ClientAuth } from './send.ts';

/**
 * Whom a signature is for (`aud`): the issuer, or the URL that the request is sent to. Some providers, such as Okta, accept only the latter.
 * Use that only with such a provider: a dishonest one could name the URL of another one, and would get a signature for it.
 */
export type Audience = 'issuer' | 'endpoint';

/** The options of {@link privateKeyJwt}. */
export interface PrivateKeyJwtConfig {
  /** The issuer, exactly as in its discovery document. */
  issuer: string;
  /** The private key, whose public key the provider knows. */
  key: ClientKey;
  /** Whom the signature is for. Default: `issuer`. */
  audience?: Audience | undefined;
}

/** The options of the signature with a secret. */
export interface ClientSecretJwtConfig {
  /** The issuer, exactly as in its discovery document. */
  issuer: string;
  /** The secret itself is not sent. */
  clientSecret: string;
  /** Whom the signature is for. Default: `issuer`. */
  audience?: Audience | undefined;
}

/**
 * Creates client authentication with a private key. Pass it as `clientAuth` to the functions that send requests, or to
 * `createSessionServer`, instead of a `clientSecret`.
 *
 * @throws TypeError with code `ERR_AUTH_PLATFORM` in a browser and in React Native. The requests fail with `ERR_AUTH_ARGUMENT` when the
 *   key cannot sign, or when there is also a `clientSecret`.
 * @see RFC 7523 section 2.2, OpenID Connect Core 1.0 section 9
 */
export function privateKeyJwt({ audience, issuer, key }: PrivateKeyJwtConfig): ClientAuth {
  assertServer('A private key');
  let imported: Promise<CryptoKey> | undefined;
  return async (form) => {
    const kid = 'kid' in key ? key.kid : undefined;
    imported ??= importClientKey(key);
    const sign = oauth.PrivateKeyJwt({ key: await imported, ...(typeof kid === 'string' ? { kid } : {}) });
    return assertion(form, toAudience(audience, issuer, form.url), sign);
  };
}

/**
 * Creates client authentication with a secret that is not sent. Pass it as `clientAuth`, instead of a `clientSecret`.
 *
 * @throws as {@link privateKeyJwt}.
 * @see OpenID Connect Core 1.0 section 9
 */
export function clientSecretJwt({ audience, issuer, clientSecret }: ClientSecretJwtConfig): ClientAuth {
  assertServer('A client secret');
  return async (form) => assertion(form, toAudience(audience, issuer, form.url), oauth.ClientSecretJwt(clientSecret));
}

function toAudience(audience: Audience = 'issuer', issuer: string, url: string): string {
  if (audience === 'endpoint') return url;
  if (audience === 'issuer') return issuer;
  throw codedTypeError(
    'ERR_AUTH_ARGUMENT',
    `audience is ${JSON.stringify(audience)}. It can be 'issuer' or 'endpoint'.`,
  );
}

async function assertion(
  { body, clientSecret }: Parameters<ClientAuth>[0],
  audience: string,
  sign: oauth.ClientAuth,
): Promise<Record<string, string>> {
  if (clientSecret !== undefined || body['client_id'] === undefined) {
    throw codedTypeError('ERR_AUTH_ARGUMENT', 'clientAuth takes the place of clientSecret, and needs a clientId.');
  }
  const signed = new URLSearchParams();
  // oauth4webapi makes the issuer of the server the audience.
  await sign({ issuer: audience }, { client_id: body['client_id'] }, signed, new Headers());
  return Object.fromEntries(signed);
}
