/** The part of a path that says that a link is the answer to a sign-in. */
export const AUTH_SESSION_MARKER = '+appkit-auth-session';

/**
 * Whether a link is the answer to a sign-in, so that what else handles the links of an app leaves it alone: its path has the
 * part `+appkit-auth-session`, as that of `getDefaultReturnUrl` has.
 */
export function isAuthSessionUrl(url: string): boolean {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split(/[:/]/).some((part) => part.replace(/%2b/i, '+') === AUTH_SESSION_MARKER);
}
