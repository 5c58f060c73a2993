import type { DiscoveryDocument } from './provider-metadata.ts';

/** What is known of the request that an id_token answers. */
export interface Issuance {
  clientId: string;
  /** That of the authorization request. */
  nonce?: string | undefined;
  /** The id_token that the user signed in with, after a refresh. */
  previous?: string | undefined;
}

/**
 * Checks an id_token that the token endpoint has issued: its claims when the issuer is known, and after a refresh that it is
 * of the same user.
 *
 * @throws ResponseError with code `invalid_id_token`.
 */
export async function checkIssuedIdToken(
  idToken: string | undefined,
  { discoveryDocument }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  { clientId, nonce, previous }: Issuance,
): Promise<void> {
  const issuer = discoveryDocument?.issuer;
  if (idToken === undefined || (issuer === undefined && previous === undefined)) return;
  const { assertSameUser, checkIdToken } = await import('./id-token.ts');
  if (issuer !== undefined)
    await checkIdToken(idToken, { clientId, nonce, metadata: { ...discoveryDocument, issuer } });
  if (previous !== undefined) assertSameUser(idToken, previous);
}
