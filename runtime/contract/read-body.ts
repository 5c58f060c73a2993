import { collectFields } from './collect-fields.ts';

/** The parsed body, or why it cannot be read. */
export type ReadBody = { value: unknown; isText?: boolean } | { status: 400 | 415; detail: string };

const URL_ENCODED = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** The media types that can be read. */
export const READABLE: string = `application/json, ${URL_ENCODED}, ${MULTIPART}`;

/** Reads a body by its media type. Rejects with the host's error if the body is too large. */
export async function readBody(request: Request): Promise<ReadBody> {
  const contentType = request.headers.get('content-type') ?? '';
  const mediaType = contentType.replace(/;.*/s, '').trim().toLowerCase();
  if (mediaType === '') {
    return (await request.text()) === '' ? { value: undefined } : unsupported('A body without a Content-Type');
  }
  if (mediaType === 'application/json' || mediaType.endsWith('+json')) return parseJson(await request.text());
  if (mediaType === URL_ENCODED) return { value: collectFields(new URLSearchParams(await request.text())) };
  if (mediaType === MULTIPART) return parseForm(await request.arrayBuffer(), contentType);
  if (mediaType === 'text/plain') return { value: await request.text(), isText: true };
  return unsupported();
}

/** The body of a client that has forgotten the Content-Type: `fetch` sends text as `text/plain`. */
export function isMislabelled(read: ReadBody): boolean {
  if (!('value' in read) || !read.isText) return false;
  const parsed = parseJson(String(read.value));
  return 'value' in parsed && typeof parsed.value === 'object' && parsed.value !== null;
}

/** The type is what the client has sent, so it is not in the answer. */
export function unsupported(what = 'A body of this media type'): ReadBody {
  return { status: 415, detail: `${what} is not supported. Send one of ${READABLE}.` };
}

function parseJson(text: string): ReadBody {
  if (text === '') return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The error would quote the body.
    return { status: 400, detail: 'The body is not valid JSON.' };
  }
}

// From its bytes: an error of the request itself, such as a body that is too large, must not count as an invalid form.
async function parseForm(bytes: ArrayBuffer, contentType: string): Promise<ReadBody> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
    return { value: collectFields(form) };
  } catch {
    return { status: 400, detail: 'The body is not a valid form.' };
  }
}
