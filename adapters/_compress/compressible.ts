/** Smaller bodies, in bytes, fit into the first packets of an answer anyway. */
export const SMALL_BYTES = 1024;

/** Media types of text, and of formats that are not compressed themselves. */
const TYPES =
  /^(?:text\/|application\/(?:json|ld\+json|javascript|ecmascript|xml|wasm|x-ndjson|ndjson|jsonl|yaml|toml|graphql|rtf|sql|x-www-form-urlencoded)\b|[^;]*\+(?:json|xml|text|yaml)\b|image\/(?:svg|bmp|x-icon|vnd\.microsoft\.icon)|font\/(?:otf|ttf)\b|model\/gltf)/i;

/** Whether an answer with this status may be compressed, judging by its headers. */
export function isCompressible(status: number, headers: Headers): boolean {
  // Without a type, the content is unknown.
  if (status === 204 || status === 205 || status === 206 || !TYPES.test(headers.get('content-type') ?? ''))
    return false;
  // Already compressed, or a part of a body: RFC 9110 sections 8.4 and 14.4.
  if (headers.has('content-encoding') || headers.has('content-range') || isFixed(headers)) return false;
  return Number(headers.get('content-length') ?? SMALL_BYTES) >= SMALL_BYTES;
}

/** Whether the answer that a 304 confirms may have been compressed. */
export function isVaried(headers: Headers): boolean {
  return headers.has('etag') && !isFixed(headers);
}

/**
 * Whether the bytes must not change: RFC 9111 section 5.2.2.6. A strong ETag means this too: it identifies exactly
 * these bytes (RFC 9110 section 8.8.3.3), and the route that set it compares it with the one that the client sends
 * back.
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
