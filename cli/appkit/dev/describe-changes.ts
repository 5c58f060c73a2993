import type { AppDescription } from 'appkit-build/development';
import { nameOf } from '../report/middleware.ts';

type Described = Pick<AppDescription, 'config' | 'routes' | 'middleware' | 'site'>;

/** Describes what has changed in an app, one line per change: routes added or removed, and settings of the config. */
export function describeChanges(before: Described, after: Described): string[] {
  return [...describeFiles(before, after), ...describeConfig(before, after)];
}

/** How many files are named; the rest is only counted. */
const NAMED = 3;

function describeFiles(before: Described, after: Described): string[] {
  const had = listFiles(before);
  const has = listFiles(after);
  const parts = [describeMissing('added', has, had), describeMissing('removed', had, has)].flat();
  return parts.length === 0 ? [] : [parts.join('; ')];
}

function describeMissing(verb: string, files: Map<string, string>, others: Map<string, string>): string[] {
  const missing = [...files].filter(([file]) => !others.has(file)).map(([file, name]) => `${name} (${file})`);
  if (missing.length === 0) return [];
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return [`${verb} ${missing.slice(0, NAMED).join(', ')}${more}`];
}

function listFiles({ routes, middleware, site }: Described): Map<string, string> {
  const files = new Map([...routes, ...(site?.pages ?? [])].map(({ file, pattern }) => [file, pattern]));
  for (const entry of middleware) files.set(entry.file, nameOf(entry));
  return files;
}

function describeConfig({ config: before }: Described, { config: after }: Described): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof typeof after)[];
  const changed = keys
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map((key) => `${key} is now ${JSON.stringify(after[key]) ?? 'not set'}`);
  return changed.length === 0 ? [] : [`${after.file} changed: ${changed.join(', ')}`];
}
