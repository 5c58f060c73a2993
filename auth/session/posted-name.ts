import { answerState } from './answer-state.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';
import { parseJsonObject } from './read-answer.ts';
import { parseReturnParams } from './return-url.ts';
import { open, seal } from './sealed-text.ts';
import type { Settings } from './session-server-options.ts';

/** The parameter of the callback that has the name of the user, encrypted: a URL is logged in many places. */
const PARAMETER = 'posted_name';
// The browser follows the redirect at once.
const SECONDS = 60;
const MAX_LENGTH = 200;
// Anyone can write them: control characters, ends of lines, and those that change the direction of the text around the name.
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

interface PostedName {
  name: string;
  /** Of the answer that the name came with. */
  state: string;
}

/** The parameters that take the name of the user from a posted answer to the callback. */
export async function namedParams(posted: URLSearchParams, settings: Settings): Promise<[string, string][]> {
  const name = settings.postedName ? nameIn(posted.get('user') ?? '') : '';
  const state = answerState(Object.fromEntries(posted));
  if (name === '' || name.length > MAX_LENGTH || state === undefined) return [];
  const content: PostedName = { name, state };
  return [[PARAMETER, await seal(content, getCurrentTimeInSeconds() + SECONDS, 'posted-name', settings)]];
}

/** The name of the user that was posted with the answer in the URL of a request, if any. It is not signed. */
export async function readPostedName({ url }: Request, settings: Settings): Promise<string | undefined> {
  const { params } = parseReturnParams(url);
  const { [PARAMETER]: sealed } = params;
  // Sealed, so we wrote it.
  const posted = sealed && ((await open(sealed, 'posted-name', settings))?.content as PostedName | undefined);
  return posted && posted.state === answerState(params) ? posted.name : undefined;
}

/** The name in the form of Apple: `{"name":{"firstName":"Ada","lastName":"Lovelace"}}`. */
function nameIn(user: string): string {
  const name: unknown = parseJsonObject(user)?.['name'];
  if (typeof name !== 'object' || name === null) return '';
  const { firstName, lastName } = name as Record<string, unknown>;
  const parts = [firstName, lastName].map((part) =>
    typeof part === 'string' ? part.replaceAll(UNSEEN, '').trim() : '',
  );
  return parts.filter((part) => part !== '').join(' ');
}
