/** The part of a path that marks a link as the answer to a sign-in. */
export const AUTH_SESSION_MARKER = '+appkit-auth-session';

/**
 * Whether a link is the answer to a sign-in, so that other link handlers of an app can ignore it: its path contains
 * `+appkit-auth-session`, as the URL of `getDefaultReturnUrl` does.
 */
export function isAuthSessionUrl(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split(/[:/]/).some((part) => part.replace(/%2b/i, '+') === AUTH_SESSION_MARKER);
}
