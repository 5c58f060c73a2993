import type { IncomingMessage } from 'node:http';
import { codedError, StatusError } from '../../runtime/host.ts';
import type { ParsedBody } from './host-types.ts';

/** A request that something in front of the handler may have read. */
export interface ReadRequest extends IncomingMessage {
  /** The bytes as they arrived, left by Google Cloud Functions or by a parser with a `verify` function. */
  rawBody?: unknown;
  /** The result of a body parser. */
  body?: unknown;
}

/**
 * The body of a request whose stream was consumed, recreated from what is left; `undefined` if the stream is still
 * complete.
 *
 * `rawBody` has the original bytes, and so does the `body` of `express.raw()` and `express.text()` (text as UTF-8).
 * JSON is serialized again from the value, and a form from the fields as the parser names them: its extended mode reads
 * `a[]` and `a[0]` as `a`.
 *
 * @throws TypeError, at the read of the stream returned, if nothing is left to recreate the body from.
 */
export function toParsedBody(request: ReadRequest): ParsedBody | undefined {
  if (!request.readableDidRead && !request.readableEnded) return undefined;
  try {
    return recreate(request);
  } catch (error) {
    // A few kilobytes can be nested more deeply than they can be written again. Only a route that reads them fails.
    if (error instanceof RangeError) return failing(() => new StatusError(400, 'The body is nested too deeply'));
    throw error;
  }
}

function recreate(request: ReadRequest): ParsedBody {
  const type = request.headers['content-type'] ?? '';
  const left = leftOf(request);
  if (left instanceof Uint8Array) return left as Uint8Array<ArrayBuffer>;
  if (typeof left === 'string')
    return new TextEncoder().encode(isParsedJson(left, request) ? JSON.stringify(left) : left);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(type);
  if (isForm && left !== undefined && left !== null) return new TextEncoder().encode(toForm(left));
  if (!isForm && left !== undefined && !/^multipart\//i.test(type))
    return new TextEncoder().encode(JSON.stringify(left));
  return unreadable(type);
}

function leftOf(request: ReadRequest): unknown {
  const { rawBody } = request;
  if (rawBody instanceof Uint8Array || typeof rawBody === 'string') return rawBody;
  try {
    return request.body;
  } catch {
    // The helpers of @vercel/node parse on access, and throw for malformed JSON.
    return undefined;
  }
}

// A text parser leaves JSON as it arrived; a JSON parser turns a quoted text into a string.
function isParsedJson(body: string, { headers }: ReadRequest): boolean {
  if (!/^application\/(?:json\b|[^;]*\+json\b)/i.test(headers['content-type'] ?? '')) return false;
  try {
    JSON.parse(body);
  } catch {
    return true;
  }
  // A quoted text may itself be JSON, such as "123". The sent length shows which it was, unless the body was compressed.
  if (headers['content-encoding'] !== undefined) return false;
  return Number(headers['content-length']) === Buffer.byteLength(JSON.stringify(body));
}

function toForm(body: unknown): string {
  const form = new URLSearchParams();
  appendFields(form, '', body);
  return form.toString();
}

// The bracket form that the extended parser (qs) reads: a[b]=1. A list repeats the name for each value.
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
  return failing(() =>
    codedError(
      'ERR_BODY_CONSUMED',
      `The request body (${type || 'no content type'}) was read before the handler was called, by something that left ` +
        'nothing of it in request.rawBody or request.body. Mount the handler before it.',
    ),
  );
}

function failing(toError: () => Error): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull() {
      throw toError();
    },
  });
}
