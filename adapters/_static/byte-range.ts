/** A part of a file, including its last byte. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads a `Range` header for a file of a known size.
 *
 * @returns the part; `unsatisfiable` when it is past the end; nothing when the whole file is to be sent, because the
 *   header is not well-formed, uses a unit other than bytes, or asks for several parts, which no client needs from a
 *   file.
 * @see RFC 9110 section 14.1.2
 */
export function parseByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=[\t ]*(\d*)-(\d*)[\t ]*$/i.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    if (Number(to) === 0) return 'unsatisfiable';
    // The last bytes of an empty file are the whole file, which 206 cannot express.
    return size === 0 ? undefined : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
