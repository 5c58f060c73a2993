/** Smaller bodies fit the first packets of an answer either way. In bytes. */
export const SMALL_BYTES = 1024;

/** Media types of what is text, or not compressed by its own format. */
const TYPES =
  /^(?:text\/|application\/(?:json|ld\+json|javascript|ecmascript|xml|wasm|x-ndjson|ndjson|jsonl|yaml|toml|graphql|rtf|sql|x-www-form-urlencoded)\b|[^;]*\+(?:json|xml|text|yaml)\b|image\/(?:svg|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:otf|ttf)\b|model\/gltf)/i;

/** Whether an answer of this status may be compressed, as far as its headers tell. */
export function isCompressible(status: number, headers: Headers): boolean {
  // Without a type there is no telling. 304 names the validator of an answer that may have been compressed.
  if (status === 304) return headers.has('etag');
  if (status === 204 || status === 205 || status === 206 || !TYPES.test(headers.get('content-type') ?? ''))
    return false;
  // Compressed already, a part of something, or not to be changed: RFC 9110 sections 8.4 and 14.4, RFC 9111 section 5.2.2.6.
  if (headers.has('content-encoding') || headers.has('content-range')) return false;
  if (/\bno-transform\b/i.test(headers.get('cache-control') ?? '')) return false;
  return Number(headers.get('content-length') ?? SMALL_BYTES) >= SMALL_BYTES;
}

/** Whether an answer stays open, so that thousands of them may be under way at once. */
export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}
