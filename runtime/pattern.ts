import { codedError } from './coded-error.ts';

/** One segment of a pattern. */
export type PatternSegment = StaticSegment | { kind: 'param'; name: string } | { kind: 'rest'; name: string };

interface StaticSegment {
  kind: 'static';
  text: string;
}

/**
 * Reads a pattern as route files and the manifest write it: `/books/[id]`, `/files/[...path]`. Groups such as `(shop)` are
 * not part of the URL and fall away.
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
  const texts = pattern
    .split('/')
    .filter((text) => text !== '' && !(text.startsWith('(') && /^\([^()]+\)$/.test(text)));
  return texts.map((text, index) => {
    // Nearly all: an app has thousands, which are read before its first answer.
    if (!text.includes('[') && !text.includes(']')) return { kind: 'static', text };
    const segment = parseSegment(pattern, text);
    if (segment.kind === 'rest' && index < texts.length - 1) {
      throw codedError(
        'ERR_MATCHER_INVALID',
        `The pattern ${JSON.stringify(pattern)} has ${text} before its end. A rest can only come last.`,
      );
    }
    return segment;
  });
}

/** Whether a segment is literal text. */
export function isStatic(segment: PatternSegment): segment is StaticSegment {
  return segment.kind === 'static';
}

function parseSegment(pattern: string, text: string): PatternSegment {
  const rest = /^\[\.\.\.([^[\]]+)\]$/.exec(text)?.[1];
  if (rest !== undefined) return { kind: 'rest', name: rest };
  const param = /^\[([^[\].][^[\]]*)\]$/.exec(text)?.[1];
  if (param !== undefined) return { kind: 'param', name: param };
  throw codedError(
    'ERR_MATCHER_INVALID',
    `The pattern ${JSON.stringify(pattern)} has the segment ${JSON.stringify(text)}, which is none of: text, [name], [...name].`,
  );
}
