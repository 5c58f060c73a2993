import { codedError } from '../http/coded-error.ts';

/** One segment of a pattern. */
export type PatternSegment =
  | { kind: 'static'; text: string }
  | { kind: 'param'; name: string }
  | { kind: 'rest'; name: string };

/**
 * Parses a pattern in the form of route files and the manifest: `/books/[id]`, `/files/[...path]`. Groups such as
 * `(shop)` are not part of the URL and are dropped.
 *
 * @throws TypeError when it does not start with `/`, has a malformed segment, or a rest before the end.
 */
export function parsePattern(pattern: string): PatternSegment[] {
  if (!pattern.startsWith('/')) {
    throw codedError(
      'ERR_MATCHER_INVALID',
      `The pattern ${JSON.stringify(pattern)} does not start with "/". Write ${JSON.stringify(`/${pattern}`)}.`,
    );
  }
  const texts = pattern.split('/').filter((text) => text !== '' && !/^\([^()]+\)$/.test(text));
  return texts.map((text, index) => {
    if (!text.includes('[') && !text.includes(']')) return { kind: 'static', text };
    const segment = parseSegment(pattern, text);
    if (segment.kind === 'rest' && index < texts.length - 1) {
      throw codedError(
        'ERR_MATCHER_INVALID',
        `The pattern ${JSON.stringify(pattern)} has ${text} before its end. A rest parameter can only come last.`,
      );
    }
    return segment;
  });
}

// Nearly all already have this form: an app may have thousands, all read before its first answer.
const CANONICAL = /^(?:\/(?:[^/[\]()]+|\[[^/[\].][^/[\]]*\]))+(?:\/\[\.\.\.[^/[\]]+\])?$/;

/**
 * Writes a pattern as the manifest does: without groups and a trailing slash.
 *
 * @throws TypeError as {@link parsePattern} does.
 */
export function toCanonical(pattern: string): string {
  return CANONICAL.test(pattern) ? pattern : `/${parsePattern(pattern).map(writeSegment).join('/')}`;
}

function writeSegment(segment: PatternSegment): string {
  if (segment.kind === 'static') return segment.text;
  return segment.kind === 'param' ? `[${segment.name}]` : `[...${segment.name}]`;
}

function parseSegment(pattern: string, text: string): PatternSegment {
  const rest = /^\[\.\.\.([^[\]]+)\]$/.exec(text)?.[1];
  if (rest !== undefined) return { kind: 'rest', name: rest };
  const param = /^\[([^[\].][^[\]]*)\]$/.exec(text)?.[1];
  if (param !== undefined) return { kind: 'param', name: param };
  throw codedError(
    'ERR_MATCHER_INVALID',
    `The pattern ${JSON.stringify(pattern)} has the segment ${JSON.stringify(text)}, which is not one of: text, [name], [...name].`,
  );
}
