import { explainParameters, isGroup } from '../app/route-path.ts';

/** A mistake in a string of the config, and what to do about it. */
export interface Mistake {
  message: string;
  fix: string;
}

// Each means something in another system, or is text that no decoded path contains.
const MISTAKES: readonly [found: RegExp, message: string, fix: string][] = [
  [/^(?!\/)/, 'does not start with "/"', 'Write the path from the root of the app.'],
  [/[?#]/, 'has a query or a fragment, which are not matched', 'Write only the path.'],
  [/\*/, 'has a "*", which matches literally', 'Write [...path] for one segment or more.'],
  [/\/:/, 'has a segment that starts with ":", which matches literally', 'Write [name] for a parameter.'],
  [/\[\[/, 'has an optional segment, which is not supported', 'Write two entries: one with the segment, one without.'],
  [/%[\da-f]{2}/i, 'is percent-encoded, and paths are matched decoded', 'Write the character itself.'],
  [/\/\.{0,2}(?=\/)|\/\.{1,2}$/, 'has a segment that no path contains', 'Leave out empty segments, "." and "..".'],
];

/** Reads the source of a redirect or rewrite as a manifest pattern. */
export function toSourcePattern(text: string): { pattern: string } | Mistake {
  for (const [found, message, fix] of MISTAKES) if (found.test(text)) return { message, fix };
  const segments = text.normalize('NFC').split('/').slice(1);
  // One trailing slash is optional, as in every pattern.
  if (segments.at(-1) === '') segments.pop();
  const group = segments.find(isGroup);
  if (group !== undefined)
    return { message: `has the group ${group}, which is not part of a URL`, fix: 'Leave it out.' };
  const mistake = explainParameters(segments);
  if (mistake) return { message: `cannot be: ${mistake.message.replace(/\.$/, '')}`, fix: mistake.fix };
  return { pattern: `/${segments.join('/')}` };
}
