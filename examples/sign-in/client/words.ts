import type { AuthSessionResult } from 'appkit-auth-session';
import { ApiError } from './api.ts';

/** Says to the user how a sign-in ended that is no success. */
export function resultInWords(result: AuthSessionResult): string {
  switch (result.type) {
    case 'locked':
      return 'A sign-in window is open already.';
    case 'error':
      if (!('error' in result) || !result.error) return 'The sign-in has failed.';
      if (result.error.code === 'access_denied') return 'You have cancelled the sign-in.';
      return `The provider could not sign you in: ${result.error.description ?? result.error.code}`;
    default:
      return 'The sign-in window was closed before you were signed in.';
  }
}

/** Says to the user what went wrong. */
export function errorInWords(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WEB_BROWSER_BLOCKED')
    return 'The browser has blocked the sign-in window. Allow pop-ups for this page and try again.';
  if (error instanceof ApiError) return error.message;
  // What fetch throws, in words of the browser.
  if (error instanceof TypeError && code === undefined) return 'No answer. Are you offline, or is the server?';
  return error instanceof Error ? error.message : String(error);
}
