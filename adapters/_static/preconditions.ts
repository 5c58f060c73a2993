import { isNoneMatch } from '../../runtime/host.ts';
import type { FileForm } from './static-file.ts';

/** Returns the value of a request header, if any. */
export type HeaderReader = (name: string) => string | undefined;

/**
 * Evaluates the preconditions of a GET or HEAD.
 *
 * @returns 412 if the client asked for another version of the file, 304 if it already has this one, otherwise undefined.
 * @see RFC 9110 section 13.2.2
 */
export function checkPreconditions(header: HeaderReader, { etag, mtimeMs }: FileForm): 412 | 304 | undefined {
  const match = header('if-match');
  const unmodifiedSince = header('if-unmodified-since');
  if (match !== undefined) {
    if (match.trim() !== '*' && !isStrongMatch(match, etag)) return 412;
  } else if (unmodifiedSince !== undefined && isLater(mtimeMs, unmodifiedSince)) return 412;

  const noneMatch = header('if-none-match');
  if (noneMatch !== undefined) return isNoneMatch(noneMatch, etag) ? 304 : undefined;
  const modifiedSince = header('if-modified-since');
  if (modifiedSince === undefined || Number.isNaN(Date.parse(modifiedSince))) return undefined;
  return isLater(mtimeMs, modifiedSince) ? undefined : 304;
}

/**
 * Whether `If-Range`, if present, names exactly this file, so that a part of it continues the client's copy.
 *
 * @see RFC 9110 section 13.1.5
 */
export function isRangeWanted(header: HeaderReader, { etag, mtimeMs }: FileForm): boolean {
  const validator = header('if-range')?.trim();
  if (validator === undefined) return true;
  if (/^(?:W\/)?"/.test(validator)) return isStrongMatch(validator, etag);
  return Date.parse(validator) === toSeconds(mtimeMs);
}

function isStrongMatch(header: string, etag: string): boolean {
  const tags: readonly string[] = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return !etag.startsWith('W/') && tags.includes(etag);
}

// HTTP dates have no milliseconds. An invalid date is not a condition.
function isLater(mtimeMs: number, date: string): boolean {
  return toSeconds(mtimeMs) > Date.parse(date);
}

function toSeconds(mtimeMs: number): number {
  return Math.floor(mtimeMs / 1000) * 1000;
}
