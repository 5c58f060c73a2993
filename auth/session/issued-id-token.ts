import { assertSameUser, checkIdToken } from './id-token.ts';
import { invalidIdToken } from './id-token-claims.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

/** What is known of the request that an id_token answers. */
export interface Issuance {
  clientId: string;
  /** That of the authorization request. With it, there must be an id_token. */
  nonce?: string | undefined;
  /** The `max_age` of the authorization request, in seconds. */
  maxAge?: number | undefined;
  /** An id_token that is known, which must be of the same user: after a refresh that of the sign-in. */
  idToken?: string | undefined;
  /** The `iss` of the answer to the authorization request, which identifies one of many tenants. */
  issuer?: string | undefined;
}

/**
 * Checks the id_token in an answer of the token endpoint. Where the issuer is not known, all is checked that does not need it.
 *
 * @throws ResponseError with code `invalid_id_token`.
 */
export async function checkIssuedIdToken(
  { id_token: issued, access_token: accessToken }: Record<string, unknown>,
  { discoveryDocument }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  { idToken, ...expected }: Issuance & { clockToleranceSeconds?: number | undefined },
): Promise<void> {
  const hasNone = issued === undefined || issued === null;
  // What was asked for by hand may be of a provider that knows no id_tokens.
  const mayHaveNone = expected.nonce === undefined || discoveryDocument?.issuer === undefined;
  if (hasNone && mayHaveNone) return;
  if (typeof issued !== 'string') {
    throw invalidIdToken(new Error(hasNone ? 'it is missing, though it was asked for' : 'it is no text'));
  }
  await checkIdToken(issued, { ...expected, metadata: discoveryDocument, accessToken: accessToken as string });
  if (idToken !== undefined) assertSameUser(issued, idToken);
}
