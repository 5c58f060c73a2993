import { assertSameUser, checkIdToken } from './id-token.ts';
import { invalidIdToken } from './id-token-claims.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

/** The known values of the request that an id_token answers. */
export interface Issuance {
  clientId: string;
  /** The nonce of the authorization request. With it, an id_token is required. */
  nonce?: string | undefined;
  /** The `max_age` of the authorization request, in seconds. */
  maxAge?: number | undefined;
  /** A known id_token, which must belong to the same user: after a refresh, the one of the sign-in. */
  idToken?: string | undefined;
  /** The `iss` of the answer to the authorization request, which identifies one of many tenants. */
  issuer?: string | undefined;
}

/**
 * Checks the id_token in an answer of the token endpoint. If the issuer is unknown, only the checks that do not need
 * it are made.
 *
 * @throws ResponseError with code `invalid_id_token`.
 */
export async function checkIssuedIdToken(
  { id_token: issued, access_token: accessToken }: Record<string, unknown>,
  { discoveryDocument }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  { idToken, ...expected }: Issuance & { clockToleranceSeconds?: number | undefined },
): Promise<void> {
  const hasNone = issued === undefined || issued === null;
  // A manually requested scope may be for a provider that does not support id_tokens.
  const mayHaveNone = expected.nonce === undefined || discoveryDocument?.issuer === undefined;
  if (hasNone && mayHaveNone) return;
  if (typeof issued !== 'string') {
    throw invalidIdToken(new Error(hasNone ? 'it is missing, though it was asked for' : 'it is no text'));
  }
  await checkIdToken(issued, { ...expected, metadata: discoveryDocument, accessToken: accessToken as string });
  if (idToken !== undefined) assertSameUser(issued, idToken);
}
