import { type AuthSessionResult, ResponseError } from 'appkit-auth-session';
import { NoAnswerError } from './api.ts';

/** Says to the user how a sign-in ended that is no success. */
export function resultInWords(result: AuthSessionResult): string {
  switch (result.type) {
    case 'locked':
      return 'A sign-in window is open already.';
    case 'error':
      return codeInWords('error' in result ? result.error?.code : undefined);
    default:
      return 'The sign-in window was closed before you were signed in.';
  }
}

/** Says to the user what went wrong. */
export function errorInWords(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WEB_BROWSER_BLOCKED')
    return 'The browser has blocked the sign-in window. Allow pop-ups for this page and try again.';
  if (error instanceof NoAnswerError) return 'No answer. Are you offline, or is the server?';
  if (error instanceof ResponseError) return codeInWords(error.code);
  return error instanceof Error ? error.message : String(error);
}

/** The code of RFC 6749 section 4.1.2.1 or OpenID Connect Core section 3.1.2.6, never the text that came with it. */
function codeInWords(code = ''): string {
  switch (code) {
    case 'access_denied':
      return 'You have cancelled the sign-in.';
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
    case 'account_selection_required':
      return 'The provider has to ask you something first. Try again.';
    case 'temporarily_unavailable':
      return 'The provider is busy. Try again later.';
    case 'server_error':
      return 'The provider has failed. Try again later.';
    default:
      // Anybody can write the answer of a provider into a link, so only what looks like a code is shown.
      return /^[a-z_]{1,40}$/.test(code) ? `The sign-in has failed (${code}).` : 'The sign-in has failed.';
  }
}
