import { ResponseError } from './errors.ts';

/** The error for a discovery document that names an issuer other than the requested one. */
export function otherIssuer(issuer: string, { issuer: other }: Record<string, unknown>): ResponseError {
  return new ResponseError(
    { error: 'issuer_mismatch' },
    `The discovery document of ${issuer} is that of another issuer, ${JSON.stringify(other)}. ` +
      'Give the issuer exactly as the provider writes it, or allow the other with acceptIssuer.',
  );
}
