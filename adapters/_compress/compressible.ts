/** Smaller bodies fit the first packets of an answer either way. In bytes. */
export const SMALL_BYTES = 1024;

/** Media types of what is text, or not compressed by its own format. */
const TYPES =
  /^(?:text\/|application\/(?:json|ld\+json|javascript|ecmascript|xml|wasm|x-ndjson|ndjson|jsonl|yaml|toml|graphql|rtf|sql|x-www-form-urlencoded)\b|[^;]*\+(?:json|xml|text|yaml)\b|image\/(?:svg|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:otf|ttf)\b|model\/gltf)/i;

/** Whether an answer of this status may be compressed, as far as its headers tell. */
export function isCompressible(status: number, headers: Headers): boolean {
  // Without a type there is no telling.
  if (status === 204 || status === 205 || status === 206 || !TYPES.test(headers.get('content-type') ?? ''))
    return false;
  // Compressed already, or a part of something: RFC 9110 sections 8.4 and 14.4.
  if (headers.has('content-encoding') || headers.has('content-range') || isFixed(headers)) return false;
  return Number(headers.get('content-length') ?? SMALL_BYTES) >= SMALL_BYTES;
}

/** Whether what a 304 stands for may have been compressed. */
export function isVaried(headers: Headers): boolean {
  return headers.has('etag') && !isFixed(headers);
}

/**
 * Whether the bytes are to stay what they are: RFC 9111 section 5.2.2.6. So says a strong ETag too, which stands for these bytes and no
 * others (RFC 9110 section 8.8.3.3), and a route that has given it compares it with what comes back.
 */
function isFixed(headers: Headers): boolean {
  return (
    /\bno-transform\b/i.test(headers.get('cache-control') ?? '') || (headers.get('etag')?.startsWith('"') ?? false)
  );
}

/** Whether an answer stays open, so that thousands of them may be in progress at once. */
export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}
