import vm from 'node:vm';
import { createDestination } from '../runtime/routing/destination.ts';
import { createMatcher } from '../runtime/routing/match.ts';
import { toCanonical } from '../runtime/routing/pattern.ts';
import type { Random } from './random.ts';

/** The result of the look-ups in generated patterns. */
export interface PatternResult {
  patterns: number;
  lookups: number;
  /** By shape of path: how much longer a look-up takes for a path that is sixteen times as long. */
  growth: Record<string, number>;
  failures: string[];
}

/** Each path becomes this much longer: linear work then takes 16 times as long, quadratic work 256 times. */
const LENGTHS = [1_000, 16_000] as const;
const MOST_GROWTH = 48;
/**
 * How many measurements, taken directly one after the other, have to agree: so one disturbed measurement does not
 * count.
 */
const AGREEING = 2;
const LEAST_MICROSECONDS = 50_000;
/** Ends a look-up that takes forever, even in the middle. */
const FUSE_MS = 60_000;

const TEXTS = [
  'a',
  'aa',
  'x.y',
  '(a+)+$',
  '.*',
  'a|a',
  '\\d+',
  '^',
  '{1,9}',
  '%41',
  '%2f',
  'é',
  '__proto__',
  'constructor',
  '-',
  '*',
];

/**
 * Matches hard paths against random patterns, and compares how the processor time grows with the length of the path.
 */
export function tryPatterns(random: Random, count: number): PatternResult {
  const patterns = Array.from({ length: count }, () => toPattern(random));
  const matchers = patterns.map((pattern) => ({ pattern, match: createMatcher([{ pattern }]) }));
  const unique = [
    ...new Map(patterns.map((pattern) => [pattern.replaceAll(/\[(\.{3})?[^\]]+\]/g, '[$1x]'), pattern])).values(),
  ];
  const all = createMatcher(unique.map((pattern) => ({ pattern })));
  const result: PatternResult = { patterns: count, lookups: 0, growth: {}, failures: [] };
  const compare = (shape: string, time: (length: number) => number): void => {
    const few: number[] = [];
    const many: number[] = [];
    while (few.length < AGREEING && many.length < AGREEING && !many.includes(Infinity)) {
      const [short, long] = LENGTHS.map((length) => orForEver(() => time(length))) as [number, number]; // of two lengths
      const growth = long === Infinity ? Infinity : long / short;
      (growth <= MOST_GROWTH ? few : many).push(growth);
    }
    const isFew = few.length === AGREEING;
    const growth = Math.max(...(isFew ? few : many));
    result.growth[shape] = growth;
    if (!isFew)
      result.failures.push(`patterns: ${shape}: sixteen times the length took ${growth.toFixed(1)} times as long`);
  };
  for (const [shape, toPath] of Object.entries(SHAPES)) {
    compare(shape, (length) => {
      const paths = matchers.map(({ pattern }) => toPath(pattern, length));
      result.lookups += paths.length;
      return timeOf(paths, (path, index) => matchers[index]?.match(path));
    });
    compare(`${shape}, all patterns in one`, (length) => {
      const paths = patterns.slice(0, 200).map((pattern) => toPath(pattern, length));
      result.lookups += paths.length;
      return timeOf(paths, all);
    });
  }
  compare('redirects', (length) => {
    const rules = matchers.filter(({ pattern }) => pattern.includes('[...')).slice(0, 300);
    const calls = rules.map(({ pattern }) => {
      const name = /\[\.{3}[^\]]+\]/.exec(pattern)?.[0] ?? '';
      return {
        to: createDestination(pattern, `/to/${name}?q=${name}`),
        path: filled(pattern, 'a/'.repeat(length / 2)),
      };
    });
    return timeOf(calls, ({ to, path }) => to(path, `?${'&'.repeat(length)}`));
  });
  compare('patterns of the manifest', (length) => {
    const texts = [
      '/('.repeat(length),
      '/[a]'.repeat(length),
      `/${'['.repeat(length)}`,
      `/${'('.repeat(length)})x`,
      '/a'.repeat(length),
    ];
    return timeOf(texts, canonicalOrNot);
  });
  return result;
}

function canonicalOrNot(text: string): void {
  try {
    toCanonical(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

function toPattern(random: Random): string {
  const segments = Array.from({ length: 1 + random.below(8) }, (_, index) =>
    random.below(3) === 0
      ? `[p${index}]`
      : Array.from({ length: 1 + random.below(3) }, () => random.pick(TEXTS)).join(''),
  );
  if (random.below(3) === 0) segments.push('[...rest]');
  // A text of only parentheses would be a group, and not part of the path.
  return `/${segments.map((text) => (/^\(.*\)$/.test(text) ? `x${text}` : text)).join('/')}`;
}

/** Long paths that almost match a pattern. */
const SHAPES: Record<string, (pattern: string, length: number) => string> = {
  'one long segment': (pattern, length) => filled(pattern, `${'a'.repeat(length)}!`),
  'many segments': (pattern, length) => filled(pattern, 'a/'.repeat(length / 2)),
  'many slashes': (pattern, length) => `${filled(pattern, 'a')}${'/'.repeat(length)}`,
  'many slashes, then more': (pattern, length) => `${filled(pattern, 'a')}${'/'.repeat(length)}x`,
  'many encodings': (pattern, length) => filled(pattern, '%61'.repeat(length / 3)),
  'many encoded slashes': (pattern, length) => filled(pattern, '%2f'.repeat(length / 3)),
  'itself many times': (pattern, length) => filled(pattern, 'a').repeat(Math.ceil(length / pattern.length)),
};

function filled(pattern: string, value: string): string {
  return pattern.replaceAll('%', '%25').replaceAll(/\[[^\]]+\]/g, () => value);
}

/**
 * The processor time of this thread that the work takes, in microseconds, without other work on the machine. The kernel
 * counts it every few milliseconds, so short work is repeated.
 */
function timeOf<T>(items: readonly T[], work: (item: T, index: number) => unknown): number {
  const before = process.threadCpuUsage();
  for (let times = 1; ; times++) {
    for (const [index, item] of items.entries()) work(item, index);
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= LEAST_MICROSECONDS) return (user + system) / times;
  }
}

/** Returns the result of the work, or infinity if the work does not end. */
function orForEver(work: () => number): number {
  try {
    // Its time-out ends loops, and regular expressions that backtrack, which nothing else here could.
    return vm.runInNewContext('work()', { work }, { timeout: FUSE_MS }) as number; // what was passed in
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity;
    throw error;
  }
}
