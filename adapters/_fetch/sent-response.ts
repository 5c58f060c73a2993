import { isStopping, isUpgrade } from '../../runtime/host.ts';
import { markPersonal, saysCaching } from '../_http/cache-default.ts';
import { isFraming } from '../_http/framing.ts';
import { assertHeaderValue, isHeaderValue } from '../_http/header-value.ts';

/**
 * A response as its host may send it: without headers that control the framing of the message, and marked as personal if
 * it does not say how it may be kept. The same object if possible.
 *
 * @throws TypeError when a header cannot be sent.
 */
export function toSentResponse(response: Response): Response {
  // Deno takes only the object that it has made.
  if (isUpgrade(response)) return response;
  const sent = toFramed(response);
  return isStopping() ? toLast(sent) : sent;
}

/** Bun and Deno close the connection after it, and a client that is not told would lose its next request. */
function toLast(response: Response): Response {
  return changeHeaders(response, (headers) => headers.set('connection', 'close'));
}

function toFramed(response: Response): Response {
  const { status, headers } = response;
  if (hasNoneButType(headers)) return markPersonal(response);
  let framing: string[] | undefined;
  let isMarked = false;
  // One pass: looking for each of nine names takes as long.
  headers.forEach((value, name) => {
    assertHeaderValue(name, value);
    if (isFraming(name, value, status)) (framing ??= []).push(name);
    else if (saysCaching(name)) isMarked = true;
  });
  const names = framing;
  const sent = names ? changeHeaders(response, (given) => names.forEach((name) => given.delete(name))) : response;
  return isMarked ? sent : markPersonal(sent);
}

// Bun can count headers, which is faster than a pass over them. Other platforms have no count.
function hasNoneButType(headers: Headers & { count?: number }): boolean {
  const { count } = headers;
  if (count !== 1) return count === 0;
  const type = headers.get('content-type');
  return type !== null && isHeaderValue(type);
}

function changeHeaders(response: Response, change: (headers: Headers) => void): Response {
  const { status, statusText, headers: given } = response;
  try {
    // In place: in Bun, a new Response would lose the type of a text.
    change(given);
    return response;
  } catch {
    // The headers of a Response from fetch() cannot be changed.
    const headers = new Headers(given);
    change(headers);
    return new Response(response.body, { status, statusText, headers });
  }
}
