import type { ManifestCacheRule } from 'appkit-server/manifest';

import { toPatternKey } from '../app/route-path.ts';
import { findNearestName } from './nearest-name.ts';
import type { Report } from './rule-options.ts';
import { toSourcePattern } from './rule-source.ts';

const TIMES = ['maxAge', 'swr', 'staleIfError'] as const;
const LISTS = ['tags', 'vary'] as const;
const KEYS = ['source', ...TIMES, ...LISTS];

/** The limits of the runtime: runtime/http/cache-rule.ts. */
const ACCEPTED = { tags: /^(?!\/)[!-+\--~]{1,200}$/, vary: /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/ };
const WANTED = {
  tags: 'a list of visible ASCII characters without a comma, at most 200 each, not starting with "/"',
  vary: 'a list of names of request headers',
};

/** Reads the option `cache`, and reports what is wrong with it. */
export function parseCacheRules(value: unknown, report: Report): ManifestCacheRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const example = '[{ "source": "/docs/[...path]", "maxAge": 60 }]';
    report(`The option cache of appkit-router is ${JSON.stringify(value)}.`, `Make it a list, such as ${example}.`);
    return [];
  }
  const names = new Map<string, string>();
  return value.flatMap((given: unknown, index) => {
    const name = `cache[${index}]`;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      report(`${name} is ${JSON.stringify(given)}.`, 'Make it an object with source and maxAge.');
      return [];
    }
    const rule = parseRule(given as Record<string, unknown>, { name, report });
    if (!rule) return [];
    const other = names.get(toPatternKey(rule.source));
    if (other !== undefined) {
      report(`${other} and ${name} are for the same paths: ${rule.source}.`, 'Keep one of them.');
      return [];
    }
    names.set(toPatternKey(rule.source), name);
    return [rule];
  });
}

function parseRule(
  given: Record<string, unknown>,
  { name, report }: { name: string; report: Report },
): ManifestCacheRule | undefined {
  for (const key of Object.keys(given).filter((candidate) => !KEYS.includes(candidate))) {
    const nearest = findNearestName(key, KEYS);
    report(`${name} has no key ${key}.`, nearest ? `Did you mean ${nearest}?` : `Known keys: ${KEYS.join(', ')}.`);
  }
  const { source: from } = given;
  if (typeof from !== 'string') {
    report(`The source of ${name} is ${JSON.stringify(from)}.`, 'Give it a path, such as "/docs/[...path]".');
    return undefined;
  }
  const source = toSourcePattern(from);
  if ('message' in source) {
    report(`The source ${JSON.stringify(from)} of ${name} ${source.message}.`, source.fix);
    return undefined;
  }
  const rule: ManifestCacheRule = { source: source.pattern, maxAge: 0 };
  for (const key of TIMES) {
    const seconds = given[key];
    if (seconds === undefined && key !== 'maxAge') continue;
    if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0) rule[key] = seconds;
    else report(`The key ${key} of ${name} is ${JSON.stringify(seconds)}.`, 'Make it a whole number of seconds.');
  }
  for (const key of LISTS) {
    const list = given[key];
    if (list === undefined) continue;
    const isFit = (one: unknown): boolean => typeof one === 'string' && ACCEPTED[key].test(one);
    if (Array.isArray(list) && list.every(isFit)) rule[key] = list as string[]; // isFit has looked
    else report(`The key ${key} of ${name} is ${JSON.stringify(list)}.`, `Make it ${WANTED[key]}.`);
  }
  return rule;
}
