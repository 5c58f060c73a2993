import { isUtf8 } from 'node:buffer';
import { cancelUnread, inReadingContext, readerOf } from '../../runtime/host.ts';
import { takeWholeResponse } from '../_light/light-response.ts';
import { peek } from '../_http/peek.ts';
import { toHead } from './head.ts';
import type { LambdaResult } from './host-types.ts';

/** Turns a Response into the result of a function. Rejects if the body fails. */
export async function toResult(response: Response, method: string): Promise<LambdaResult> {
  if (method === 'HEAD') {
    const head = toHead(response);
    const length = await lengthOf(response);
    if (length !== undefined) head.headers['content-length'] = String(length);
    return { ...head, body: '', isBase64Encoded: false };
  }
  const whole = takeWholeResponse(response);
  const head = toHead(whole ?? response);
  const bytes = whole ? Buffer.from(whole.body ?? '') : await bytesOf(response);
  // The platform counts the body itself.
  if (whole ? whole.body !== null : response.body) delete head.headers['content-length'];
  const isBase64Encoded = !isText(head.headers, bytes);
  return { ...head, body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

async function bytesOf(response: Response): Promise<Buffer> {
  const { body } = response;
  return body ? Buffer.from(await inReadingContext(body, () => response.arrayBuffer())) : Buffer.alloc(0);
}

// HEAD answers like GET, so a complete body gives its length: RFC 9110 section 9.3.2.
async function lengthOf({ body }: Response): Promise<number | undefined> {
  if (!body) return undefined;
  const reader = readerOf(body);
  const { whole } = await peek(reader);
  // If a source cannot be cancelled, that is the route's problem; the answer is sent.
  cancelUnread(reader).catch(() => undefined);
  return whole?.byteLength;
}

// A string is sent as UTF-8. The type alone is not enough: text may have another encoding, or be compressed.
function isText(headers: Record<string, string>, bytes: Uint8Array): boolean {
  const type = headers['content-type'] ?? '';
  const isTextType = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-www-form-urlencoded)\b)/i.test(
    type,
  );
  return bytes.byteLength === 0 || (isTextType && headers['content-encoding'] === undefined && isUtf8(bytes));
}
