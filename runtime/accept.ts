/**
 * Whether an `Accept` header admits a document of type `text/html; charset=utf-8`. Without the header, or with an empty one,
 * every type is admitted. The most specific range that fits decides: `text/*;q=0` refuses HTML whatever a wider range says.
 *
 * @see RFC 9110 section 12.5.1
 */
export function admitsHtml(accept: string | null | undefined): boolean {
  const ranges = splitOutsideQuotes(accept ?? '', ',').filter((range) => range !== '');
  if (ranges.length === 0) return true;
  const fitting = ranges.map(readRange).filter(({ precision }) => precision > 0);
  const highest = Math.max(...fitting.map(({ precision }) => precision));
  return fitting.some(({ precision, weight }) => precision === highest && weight > 0);
}

interface Range {
  /** How closely it describes the document. 0: it describes others. */
  precision: number;
  weight: number;
}

function readRange(range: string): Range {
  const [type = '', ...parameters] = splitOutsideQuotes(range.toLowerCase(), ';');
  const end = parameters.findIndex((parameter) => parameter.startsWith('q='));
  // What follows the weight describes no type.
  const describing = end === -1 ? parameters : parameters.slice(0, end);
  const weight = end === -1 ? 1 : Number(parameters[end]?.slice('q='.length));
  // What is not a number is no refusal.
  return { precision: precisionOf(type, describing), weight: Number.isNaN(weight) ? 1 : weight };
}

function precisionOf(type: string, parameters: readonly string[]): number {
  if (!parameters.every((parameter) => /^charset="?utf-8"?$/.test(parameter))) return 0;
  return ['*/*', 'text/*', 'text/html'].indexOf(type) + 1 + parameters.length;
}

// A quoted parameter may hold commas and semicolons.
function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const part = separator === ',' ? /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g : /(?:[^";]|"(?:[^"\\]|\\.)*"?)+/g;
  return (text.match(part) ?? []).map((found) => found.trim());
}
