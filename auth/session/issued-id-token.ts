import type { DiscoveryDocument } from './provider-metadata.ts';

/** What is known of the request that an id_token answers. */
export interface Issuance {
  clientId: string;
  /** That of the authorization request. */
  nonce?: string | undefined;
  /** The id_token that the user signed in with, after a refresh. */
  idToken?: string | undefined;
}

/**
 * Checks an id_token that the token endpoint has issued: its claims when the issuer is known, and after a refresh that it is
 * of the same user.
 *
 * @throws ResponseError with code `invalid_id_token`.
 */
export async function checkIssuedIdToken(
  issued: string,
  { discoveryDocument }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  { clientId, nonce, idToken }: Issuance,
): Promise<void> {
  const issuer = discoveryDocument?.issuer;
  if (issuer === undefined && idToken === undefined) return;
  const { assertSameUser, checkIdToken } = await import('./id-token.ts');
  if (issuer !== undefined) await checkIdToken(issued, { clientId, nonce, metadata: { ...discoveryDocument, issuer } });
  if (idToken !== undefined) assertSameUser(issued, idToken);
}
