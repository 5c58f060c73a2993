/** A content coding in which a file may be available. */
export type Coding = 'br' | 'zstd' | 'gzip';

/**
 * The coding that a client prefers among those available for a file.
 *
 * @param header – the `Accept-Encoding` header, if any.
 * @param available – the codings to choose from, the preferred one first.
 * @returns undefined if the plain file should be sent.
 * @see RFC 9110 section 12.5.3
 */
export function chooseCoding(header: string | undefined, available: readonly Coding[]): Coding | undefined {
  const weights = parseWeights(header ?? '');
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;

  let best: Coding | undefined;
  for (const coding of available) {
    if (weightOf(coding) > (best === undefined ? 0 : weightOf(best))) best = coding;
  }
  if (best === undefined) return undefined;
  return weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

function parseWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // An invalid weight counts as a refusal: sending the plain file is never wrong.
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(quality) ? Number(quality) : 0;
    if (coding) weights.set(coding === 'x-gzip' ? 'gzip' : coding, weight);
  }
  return weights;
}
