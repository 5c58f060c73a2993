import { withoutBody } from '../_http/without-body.ts';
import { withLength } from './with-length.ts';

const BODYLESS = [204, 205, 304];

/** The answer to a HEAD, with the length of its body if that is complete: RFC 9110 section 9.3.2. Deno would cancel a stream too early, see `cancelUnread`. */
export async function toHead(answered: Response | Promise<Response>): Promise<Response> {
  const head = withoutBody(await withLength(await answered));
  if (head.body || head.headers.has('content-length') || BODYLESS.includes(head.status)) return head;
  // Deno states the length 0 for an answer without a body, which GET would not have: RFC 9110 section 8.6.
  return new Response(new ReadableStream({ start: (controller) => controller.close() }), head);
}
