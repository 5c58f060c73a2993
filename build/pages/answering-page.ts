import type { PageFile } from '../site/scan-pages.ts';

/**
 * Whether another page answers the path that a page has with these parameters: both match it, and a server compares
 * their patterns segment by segment.
 */
export function isAnsweredByOther(
  page: Pick<PageFile, 'pattern'>,
  params: Record<string, string>,
  pages: readonly Pick<PageFile, 'pattern'>[],
): boolean {
  const own = toSegments(page.pattern);
  const parts = own.flatMap((segment) => {
    const name = /^\[(?:\.\.\.)?(.+)\]$/.exec(segment)?.[1];
    if (name === undefined) return segment;
    const value = params[name] ?? '';
    return isRest(segment) ? value.split('/') : value;
  });
  return pages.some(({ pattern }) => {
    const theirs = toSegments(pattern);
    return matches(theirs, parts) && comesBefore(theirs, own);
  });
}

const toSegments = (pattern: string): string[] => pattern.split('/').slice(1);
const isParameter = (segment: string): boolean => segment.startsWith('[');
const isRest = (segment: string): boolean => segment.startsWith('[...');

function matches(segments: readonly string[], parts: readonly string[]): boolean {
  const hasRest = isRest(segments.at(-1) ?? '');
  if (hasRest ? parts.length < segments.length : parts.length !== segments.length) return false;
  return segments.every((segment, index) => isParameter(segment) || segment === parts[index]);
}

function comesBefore(these: readonly string[], those: readonly string[]): boolean {
  const rankOf = (segment = ''): number => Number(isParameter(segment)) + Number(isRest(segment));
  const index = these.findIndex((segment, at) => rankOf(segment) !== rankOf(those[at]));
  return index !== -1 && rankOf(these[index]) < rankOf(those[index]);
}
