/** Explains the failed sign-in from which the server has just redirected back; the empty string if none failed. */
export function failureInWords(search: string): string {
  const code = new URLSearchParams(search).get('error');
  switch (code) {
    case null:
      return '';
    case 'access_denied':
      return 'You have cancelled the sign-in.';
    case 'no_response':
      return 'The provider cannot be reached. Try again later.';
    case 'temporarily_unavailable':
      return 'The provider is busy. Try again later.';
    case 'state_mismatch':
      return 'The sign-in took too long, or was started in another browser. Try again.';
    default:
      // Anyone can write this into a link, so only text that looks like a code is shown.
      return /^[a-z_]{1,40}$/.test(code) ? `The sign-in has failed (${code}).` : 'The sign-in has failed.';
  }
}
