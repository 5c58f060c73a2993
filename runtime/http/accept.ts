/**
 * Whether an `Accept` header admits a document of type `text/html; charset=utf-8`. Without the header, or with an empty one,
 * every type is admitted. The most specific range that fits decides, so `text/*;q=0` refuses HTML whatever a wider range says.
 *
 * @see RFC 9110 section 12.5.1
 */
export function admitsHtml(accept: string | null | undefined): boolean {
  // A quoted parameter may contain commas.
  const ranges = (accept ?? '').toLowerCase().match(/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
  let admits = ranges.every((range) => range.trim() === '');
  let precision = 0;
  for (const range of ranges) {
    const [, type, charset, weight] = FITTING.exec(range) ?? [];
    if (type === undefined) continue;
    const own = type.length + (charset ? 1 : 0);
    // An invalid number is not a refusal.
    const admitsOwn = !(Number(weight ?? 1) <= 0);
    if (own > precision || (own === precision && admitsOwn)) admits = admitsOwn;
    precision = Math.max(own, precision);
  }
  return admits;
}

/**
 * Whether an `Accept` header names `text/html` and admits it, as that of a browser which loads a document does. A script, `fetch`
 * and `curl` send wildcards, or no header.
 */
export function namesHtml(accept: string | null | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '') && admitsHtml(accept);
}

// Parameters after the weight do not describe the type.
const FITTING = /^\s*(\*\/\*|text\/\*|text\/html)\s*((?:;\s*charset="?utf-8"?\s*)*)(?:;\s*q=([^;\s]*).*)?$/;
