import { codedTypeError } from './coded-error.ts';
import { ResponseError } from './errors.ts';

/** The error of a discovery document that names another issuer than the one it was asked for. */
export function otherIssuer(issuer: string, { issuer: other }: Record<string, unknown>): ResponseError {
  return new ResponseError(
    { error: 'issuer_mismatch' },
    `The discovery document of ${issuer} is that of another issuer, ${JSON.stringify(other)}. ` +
      'Give the issuer exactly as the provider writes it, or allow the other with acceptIssuer.',
  );
}

/** The error of a request whose code would go to another provider than the one it is of. */
export function otherProvider(own: string, given: string): TypeError {
  return codedTypeError(
    'ERR_AUTH_ARGUMENT',
    `This request was made for ${own}, not for ${given}. Give the discovery document it was made with.`,
  );
}
