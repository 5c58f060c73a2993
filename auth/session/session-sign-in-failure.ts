import { AuthError, ResponseError } from './errors.ts';
import { sendTo, withCookies } from './session-answers.ts';
import type { Settings } from './session-server-options.ts';

/** What failed, and for whom. */
interface Failure {
  cookies?: string[];
  request: Request;
  /** The return URL of the next attempt, in the app. */
  returnTo: string;
  settings: Settings;
}

const LATE = 'The sign-in took too long.';
/** What the user can do about it, without the provider's text, which anyone could have written. */
const SENTENCES: ReadonlyMap<string, string> = new Map([
  ['access_denied', 'You have not been signed in.'],
  // GitHub's name for the next one.
  ['bad_verification_code', LATE],
  ['invalid_grant', LATE],
  ['no_response', 'The sign-in service cannot be reached just now.'],
  ['state_mismatch', 'The sign-in took too long, or was started in another browser.'],
]);

/** Tells the user that they are not signed in, and logs the reason. */
export function failedSignIn(error: unknown, { cookies = [], request, returnTo, settings }: Failure): Response {
  const { basePath, errorPath, onError, origin } = settings;
  // A provider's answer comes through the browser, where anyone could forge one, so it must not fill the log.
  if (!(error instanceof AuthError)) onError(error, request);
  const code = codeOf(error);
  if (errorPath !== undefined) {
    const url = new URL(errorPath, origin);
    url.searchParams.set('error', code);
    return sendTo(url.href, cookies);
  }
  const { pathname, search, hash } = new URL(returnTo);
  // With one parameter, it has nothing that HTML has to escape.
  const again = `${basePath}/sign-in?${new URLSearchParams({ returnTo: pathname + search + hash })}`;
  const sentence = SENTENCES.get(code) ?? 'The sign-in has failed.';
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Not signed in</title><p>${sentence}</p><p><a href="${again}">Sign in again</a></p></html>
`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    // The URL of this page may contain a code.
    'referrer-policy': 'no-referrer',
  };
  return withCookies(new Response(page, { status: statusOf(error), headers }), cookies);
}

function codeOf(error: unknown): string {
  if (error instanceof ResponseError) return /^[\w.-]{1,64}$/.test(error.code) ? error.code : 'invalid_response';
  return 'server_error';
}

function statusOf(error: unknown): number {
  if (error instanceof AuthError) return 400;
  if (error instanceof ResponseError) return SENTENCES.get(error.code) === LATE ? 400 : 502;
  return 500;
}
