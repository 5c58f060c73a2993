import { withoutBody } from '../_http/without-body.ts';
import { withLength } from './with-length.ts';

/** The answer to a HEAD, with the length of its body if that is complete: RFC 9110 section 9.3.2. Deno would cancel a stream too early, see `cancelUnread`. */
export async function toHead(answered: Response | Promise<Response>): Promise<Response> {
  return withoutBody(await withLength(await answered));
}
