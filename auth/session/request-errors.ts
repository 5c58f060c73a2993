import { codedTypeError } from './coded-error.ts';

/** The error of a request whose code challenge does not match its code verifier. */
export function otherChallenge(): TypeError {
  return refused('The codeChallenge does not fit the codeVerifier. Give one of them.');
}

/** The error of a result that is exchanged for tokens and is not a success. */
export function noCode(type: string): TypeError {
  return refused(`A result of the type ${type} has no code to exchange.`);
}

/** The error of a request whose code would be sent to a provider other than its own. */
export function otherProvider(own: string, given: string): TypeError {
  return refused(`This request was made for ${own}, not for ${given}. Give the discovery document it was made with.`);
}

/** The error of tokens that cannot be refreshed. */
export function noRefreshToken(): TypeError {
  return refused('This token response has no refreshToken. The user has to sign in again.');
}

function refused(message: string): TypeError {
  return codedTypeError('ERR_AUTH_ARGUMENT', message);
}
