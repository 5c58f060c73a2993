/**
 * Reads a `Range` header for a file of a known size.
 *
 * @returns ranges in the same syntax, each with a first byte or a suffix no longer than the file; or nothing when the
 *   header is to be ignored, because it is not well-formed or counts in something else than bytes.
 * @see RFC 9110 section 14.1.2
 */
export function parseByteRange(header: string, size: number): string | undefined {
  const ranges = /^bytes=(.+)$/i
    .exec(header)?.[1]
    ?.split(',')
    .map((range) => parseOne(range, size));
  return ranges?.every((range) => range !== undefined) ? `bytes=${ranges.join(',')}` : undefined;
}

function parseOne(text: string, size: number): string | undefined {
  const [, first = '', last = ''] = /^\s*(\d*)-(\d*)\s*$/.exec(text) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return `-${Math.min(Number(last), size)}`;
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return `${first}-${last}`;
}
