import { namedParams } from './posted-name.ts';
import { answerJson, sendTo } from './session-answers.ts';
import type { Settings } from './session-server-options.ts';

// Servers refuse a longer URL: Node reads 16 KB of headers.
const MAX_LENGTH = 12_000;
// What the callback reads. Others are personal, such as the name of the user that Apple adds, and a URL is logged in many places.
const FIELDS = ['code', 'error', 'error_description', 'error_uri', 'iss', 'response', 'state'];

/**
 * Answers a form that a page of the provider has posted (OAuth 2.0 Form Post Response Mode): the browser is sent to the callback as
 * if the provider had answered by a link. The cookie of the sign-in is `SameSite=Lax`, so a browser sends it then, and not with
 * the form of another site.
 */
export async function answerPosted(request: Request, settings: Settings): Promise<Response> {
  const { basePath, origin } = settings;
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return answerJson(415, { error: 'Post a form here, as a provider does with response_mode=form_post.' });
  }
  const text = await request.text();
  if (text.length > MAX_LENGTH) return answerJson(413, { error: 'The answer is too long.' });
  const posted = new URLSearchParams(text);
  const fields = [...posted].filter(([name]) => FIELDS.includes(name));
  const params = new URLSearchParams([...fields, ...(await namedParams(posted, settings))]);
  return sendTo(`${origin}${basePath}/callback?${params}`);
}
