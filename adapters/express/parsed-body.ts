import { codedError } from '../../runtime/coded-error.ts';
import type { ParsedBody } from '../_node/host-types.ts';
import type { ExpressRequest } from './host-types.ts';

/**
 * The body of a request whose stream a parser has used up, made again from what the parser made of it: `undefined` when
 * the stream is still whole.
 *
 * `express.raw()` and `express.text()` give the same bytes back (text as UTF-8). JSON is written anew from the value, and a form
 * from the fields as the parser names them: its extended mode reads `a[]` and `a[0]` as `a`.
 *
 * @throws TypeError, at the read of the stream returned, when the parser left nothing to make it from.
 */
export function toParsedBody(request: ExpressRequest): ParsedBody | undefined {
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  const { body } = request;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  if (typeof body === 'string') return new TextEncoder().encode(body);

  const type = request.headers['content-type'] ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new TextEncoder().encode(toForm(body));
  if (body !== undefined && !/^multipart\//i.test(type)) return new TextEncoder().encode(JSON.stringify(body));
  return unreadable(type);
}

function toForm(body: unknown): string {
  const form = new URLSearchParams();
  appendFields(form, '', body);
  return form.toString();
}

// The brackets that the extended parser (qs) reads: a[b]=1. A list is the name once more for each value.
function appendFields(form: URLSearchParams, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) appendFields(form, name, one);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) appendFields(form, name === '' ? key : `${name}[${key}]`, one);
  } else {
    form.append(name, String(value));
  }
}

function unreadable(type: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull() {
      throw codedError(
        'ERR_BODY_CONSUMED',
        `The request body (${type || 'no content type'}) was read by an Express middleware that left nothing of it in ` +
          'request.body. Mount the handler before that middleware.',
      );
    },
  });
}
