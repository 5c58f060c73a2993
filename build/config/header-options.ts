import type { Report } from './rule-options.ts';

/** A token: RFC 9110 section 5.6.2. */
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Visible characters with white space between them: RFC 9110 section 5.5, without the obsolete forms. */
const VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;
/**
 * They belong to a single message or connection, and the host sets them: RFC 9110 section 7.6.1, RFC 9112 section 6.
 */
const OF_THE_HOST = ['connection', 'content-length', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/** Reads the option `headers`, and reports what is wrong with it. */
export function parseHeaders(value: unknown, report: Report): Record<string, string | string[]> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const wanted = 'Make it an object of names and values, such as { "x-frame-options": "DENY" }.';
    report(`The option headers of appkit-router is ${JSON.stringify(value)}.`, wanted);
    return {};
  }
  const parsed: Record<string, string | string[]> = {};
  const names = new Set<string>();
  for (const [name, given] of Object.entries(value)) {
    const mistake = explainName(name, names) ?? explainValue(name, given);
    names.add(name.toLowerCase());
    if (mistake) report(...mistake);
    else parsed[name] = given as string | string[]; // explainValue has looked
  }
  return parsed;
}

type Mistake = [message: string, fix: string];

function explainName(name: string, names: ReadonlySet<string>): Mistake | undefined {
  const lowerCase = name.toLowerCase();
  if (!NAME.test(name)) {
    return [
      `The option headers has ${JSON.stringify(name)}, which is not a header name.`,
      'Use letters, digits and "-".',
    ];
  }
  if (OF_THE_HOST.includes(lowerCase)) {
    return [`The option headers has ${name}, which the host sets for each answer.`, 'Remove it.'];
  }
  if (names.has(lowerCase)) {
    return [`The option headers has ${name} twice.`, 'Write it once, with a list of values. Case makes no difference.'];
  }
  return undefined;
}

function explainValue(name: string, given: unknown): Mistake | undefined {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (values.length > 0 && values.every((value) => typeof value === 'string' && VALUE.test(value))) return undefined;
  return [
    `The header ${name} of the option headers is ${JSON.stringify(given)}.`,
    'Make it a string, or a list of strings, of ASCII characters on one line, without white space around them.',
  ];
}
