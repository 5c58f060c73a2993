import type { ManifestRedirect, ManifestRewrite, Method } from 'appkit-server/manifest';

import { METHODS } from '../app/check-exports.ts';
import { findNearestName } from './nearest-name.ts';
import { toPatternKey } from '../app/route-path.ts';
import { explainDestination, leadsToItself } from './rule-destination.ts';
import { toSourcePattern } from './rule-source.ts';

/** Receives a problem of the config: what is wrong, and what to do. */
export type Report = (message: string, fix: string) => void;

/** Reads the option `redirects`, and reports what is wrong with it. */
export function parseRedirects(value: unknown, report: Report): ManifestRedirect[] {
  const keys = ['source', 'destination', 'permanent', 'methods'];
  return parseRules(value, { option: 'redirects', keys, report }).flatMap(({ name, rule, given }) => {
    const { permanent } = given;
    if (permanent !== undefined && typeof permanent !== 'boolean') {
      report(`The key permanent of ${name} is ${JSON.stringify(permanent)}.`, 'Make it true or false.');
    }
    if (leadsToItself(rule.source, rule.destination)) {
      const fix = 'Correct one of them, or redirect in app/+middleware.ts, which can exclude paths.';
      report(`${name} leads to itself: its source ${rule.source} fits its destination ${rule.destination}.`, fix);
    }
    return [{ ...rule, ...(permanent === true ? { permanent } : {}) }];
  });
}

/** Reads the option `rewrites`, and reports what is wrong with it. */
export function parseRewrites(value: unknown, report: Report): ManifestRewrite[] {
  const keys = ['source', 'destination', 'methods'];
  return parseRules(value, { option: 'rewrites', keys, report }).map(({ rule }) => rule);
}

/** What redirects and rewrites share. */
interface Rule {
  source: string;
  destination: string;
  methods?: Method[];
}

interface ParsedRule {
  /** Its name in messages. */
  name: string;
  rule: Rule;
  given: Record<string, unknown>;
}

interface RuleOption {
  option: 'redirects' | 'rewrites';
  keys: readonly string[];
  report: Report;
}

function parseRules(value: unknown, { option, keys, report }: RuleOption): ParsedRule[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const example = '[{ "source": "/old/[id]", "destination": "/new/[id]" }]';
    report(`The option ${option} of appkit-router is ${JSON.stringify(value)}.`, `Make it a list, such as ${example}.`);
    return [];
  }
  const rules = value.flatMap((given: unknown, index): ParsedRule[] => {
    const name = `${option}[${index}]`;
    if (!isRecord(given)) {
      report(`${name} is ${JSON.stringify(given)}.`, 'Make it an object with source and destination.');
      return [];
    }
    for (const key of Object.keys(given).filter((candidate) => !keys.includes(candidate))) {
      const nearest = findNearestName(key, keys);
      report(`${name} has no key ${key}.`, nearest ? `Did you mean ${nearest}?` : `Known keys: ${keys.join(', ')}.`);
    }
    const rule = parseRule(given, { name, mayLeave: option === 'redirects', report });
    return rule ? [{ name, rule, given }] : [];
  });
  reportOverlaps(rules, report);
  return rules;
}

function parseRule(
  given: Record<string, unknown>,
  { name, mayLeave, report }: { name: string; mayLeave: boolean; report: Report },
): Rule | undefined {
  const text = (key: 'source' | 'destination', example: string): string | undefined => {
    const value = given[key];
    if (typeof value === 'string') return value;
    const what = value === undefined ? `${name} has no ${key}.` : `The ${key} of ${name} is ${JSON.stringify(value)}.`;
    report(what, `Give it one, such as "${example}".`);
    return undefined;
  };
  const from = text('source', '/old/[id]');
  const destination = text('destination', '/new/[id]');
  const methods = parseMethods(given['methods'], { name, report });
  if (from === undefined) return undefined;

  const source = toSourcePattern(from);
  if ('message' in source) {
    report(`The source ${JSON.stringify(from)} of ${name} ${source.message}.`, source.fix);
    return undefined;
  }
  if (destination === undefined) return undefined;
  const mistake = explainDestination(destination, { source: source.pattern, mayLeave });
  if (mistake) {
    report(`The destination ${JSON.stringify(destination)} of ${name} ${mistake.message}.`, mistake.fix);
    return undefined;
  }
  return { source: source.pattern, destination, ...(methods ? { methods } : {}) };
}

function parseMethods(value: unknown, { name, report }: { name: string; report: Report }): Method[] | undefined {
  if (value === undefined) return undefined;
  const isList = Array.isArray(value) && value.length > 0 && value.every((method) => METHODS.includes(method));
  if (isList) return METHODS.filter((method) => value.includes(method));
  report(
    `The key methods of ${name} is ${JSON.stringify(value)}.`,
    `Make it a list of some of ${METHODS.join(', ')}, or leave it out for all.`,
  );
  return undefined;
}

// Otherwise their order would decide which of the two answers.
function reportOverlaps(rules: readonly ParsedRule[], report: Report): void {
  for (const [index, { name, rule }] of rules.entries()) {
    const other = rules.slice(0, index).find((earlier) => overlap(earlier.rule, rule));
    if (!other) continue;
    report(
      `${other.name} and ${name} are for the same requests: ${rule.source}.`,
      'Keep one of them, or give them different methods. Parameter names make no difference, and GET includes HEAD.',
    );
  }
}

function overlap(a: Rule, b: Rule): boolean {
  if (toPatternKey(a.source) !== toPatternKey(b.source)) return false;
  const methods = methodsOf(b);
  return methodsOf(a).some((method) => methods.includes(method));
}

function methodsOf({ methods = [...METHODS] }: Rule): Method[] {
  return methods.includes('GET') ? [...methods, 'HEAD'] : methods;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
