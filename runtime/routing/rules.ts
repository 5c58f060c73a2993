import { METHODS } from '../manifest.ts';
import type { Method } from '../manifest.ts';
import { createMatcher } from './match.ts';

/** Something that applies to the paths of a pattern, perhaps only for some methods. */
export interface Rule {
  source: string;
  methods?: Method[];
}

/** Finds the rule for a request. */
export type RuleMatcher<R extends Rule> = (method: string, pathname: string) => R | undefined;

/** Compiles rules into one matcher. Among the rules for the method of a request, it returns the one whose source ranks first. */
export function createRuleMatcher<R extends Rule>(rules: readonly R[]): RuleMatcher<R> {
  const matcherFor = (method?: Method): ReturnType<typeof createMatcher<{ pattern: string; rule: R }>> =>
    createMatcher(rules.filter((rule) => isFor(rule, method)).map((rule) => ({ pattern: rule.source, rule })));
  const known = new Map<string, ReturnType<typeof matcherFor>>(METHODS.map((method) => [method, matcherFor(method)]));
  const others = matcherFor();
  return (method, pathname) => (known.get(method) ?? others)(pathname)?.entry.rule;
}

function isFor({ methods }: Rule, method: Method | undefined): boolean {
  if (!methods) return true;
  // HEAD is answered like GET: RFC 9110 section 9.3.2.
  return method !== undefined && (methods.includes(method) || (method === 'HEAD' && methods.includes('GET')));
}
