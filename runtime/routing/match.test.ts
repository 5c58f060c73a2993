import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { createMatcher } from './match.ts';

function match(patterns: string[], pathname: string): { pattern: string; params: Record<string, string> } | undefined {
  const found = createMatcher(patterns.map((pattern) => ({ pattern })))(pathname);
  return found && { pattern: found.entry.pattern, params: found.params };
}

describe('createMatcher', () => {
  const table: [patterns: string[], pathname: string, pattern: string | undefined, params?: Record<string, string>][] =
    [
      [['/'], '/', '/'],
      [['/'], '//', undefined],
      [['/hello'], '/hello', '/hello'],
      [['/hello'], '/hello/', '/hello'],
      [['/hello'], '/hello//', undefined],
      [['/hello'], '//hello', undefined],
      [['/hello'], '/Hello', undefined],
      [['/hello'], '/%68ello', '/hello'],
      [['/café'], '/caf%C3%A9', '/café'],
      [['/a b'], '/a%20b', '/a b'],
      [['/a%20b'], '/a%2520b', '/a%20b'],
      [['/a%20b'], '/a%20b', undefined],
      [['/a/b'], '/a%2Fb', undefined],
      [['/[id]'], '/a%2Fb', '/[id]', { id: 'a/b' }],
      [['/[id]'], '/', undefined],
      [['/[id]'], '/a%2520b', '/[id]', { id: 'a%20b' }],
      [['/[id]'], '/[id]', '/[id]', { id: '[id]' }],
      [['/[__proto__]'], '/x', '/[__proto__]', Object.fromEntries([['__proto__', 'x']])],
      [['/files/[...path]'], '/files', undefined],
      [['/files/[...path]'], '/files/', undefined],
      [['/files/[...path]'], '/files/a', '/files/[...path]', { path: 'a' }],
      [['/files/[...path]'], '/files/a/b%20c/', '/files/[...path]', { path: 'a/b c' }],
      [['/files/[...path]'], '/files/https://x', '/files/[...path]', { path: 'https://x' }],
      [['/files/[...path]'], '/files//a', undefined],
      [['/[...all]'], '/', undefined],
      // A comparable system is wrong here: it ranks by the number of dynamic segments, and by layout files.
      [['/blog/[post]', '/[user]/[id]'], '/blog/1', '/blog/[post]', { post: '1' }],
      [['/x/[id]', '/[a]/[...rest]'], '/x/1', '/x/[id]', { id: '1' }],
      [['/x/[...rest]', '/[a]/[...rest]'], '/x/1/2', '/x/[...rest]', { rest: '1/2' }],
      [['/[u]/settings', '/admin/[id]'], '/admin/settings', '/admin/[id]', { id: 'settings' }],
      // A branch that ranks better but leads nowhere is abandoned.
      [['/a/b/c', '/[x]/b/d'], '/a/b/d', '/[x]/b/d', { x: 'a' }],
      [['/[a]/x', '/[b]/y'], '/1/y', '/[b]/y', { b: '1' }],
      [['/constructor'], '/toString', undefined],
    ];
  for (const [patterns, pathname, pattern, params = {}] of table) {
    it(`${patterns.join(' and ')} for ${pathname}: ${pattern ?? 'none'}`, () => {
      expect(match(patterns, pathname)).toEqual(pattern === undefined ? undefined : { pattern, params });
    });
  }

  it('gives every parameter an ordinary property, which a route may change', () => {
    const params = match(['/[a]/[__proto__]'], '/1/2')?.params ?? {};
    const ordinary = { writable: true, enumerable: true, configurable: true };
    expect(Object.getOwnPropertyDescriptors(params)).toEqual(
      Object.fromEntries([
        ['a', { value: '1', ...ordinary }],
        ['__proto__', { value: '2', ...ordinary }],
      ]),
    );
  });

  it('finds the later of two entries that fit the same paths', () => {
    const patterns = ['/a', '/a/[b]', '/a/[b]/[...c]', '/a', '/a/[x]', '/a/[x]/[...y]'];
    const find = createMatcher(patterns.map((pattern, index) => ({ pattern, index })));
    expect(['/a', '/%61', '/a/1', '/a/1/2'].map((path) => find(path)?.entry.index)).toEqual([3, 3, 4, 5]);
  });

  it('gives each match its own parameters', () => {
    const matcher = createMatcher([{ pattern: '/a' }]);
    expect(matcher('/a')?.params).not.toBe(matcher('/a')?.params);
  });

  it('agrees with a plain reference implementation over any route sets and paths, in any order of the routes', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', 'é', '[p]', '[q]', '(g)');
    const pattern = fc
      .tuple(fc.array(segment, { maxLength: 4 }), fc.boolean())
      .map(([segments, rest]) => withDistinctNames([...segments, ...(rest ? ['[...r]'] : [])]))
      .map((segments) => `/${segments.join('/')}`);
    const routeSet = fc.uniqueArray(pattern, { minLength: 1, maxLength: 10, selector: shapeOf });
    const pathname = fc
      .tuple(
        fc.array(fc.constantFrom('a', 'b', 'ab', '%C3%A9', '%61', 'c', '', 'a%2Fb'), { maxLength: 5 }),
        fc.boolean(),
      )
      .map(([segments, slash]) => `/${segments.join('/')}${slash ? '/' : ''}`);

    fc.assert(
      fc.property(routeSet, fc.array(pathname, { minLength: 2, maxLength: 2 }), (patterns, pathnames) => {
        const forwards = createMatcher(patterns.map((one) => ({ pattern: one })));
        const backwards = createMatcher(patterns.toReversed().map((one) => ({ pattern: one })));
        for (const one of pathnames) {
          const expected = referenceMatch(patterns, one);
          const found = forwards(one);
          expect(found && { pattern: found.entry.pattern, params: found.params }).toEqual(expected);
          expect(backwards(one)?.entry.pattern).toBe(expected?.pattern);
        }
      }),
      propertyRuns({ push: 10_000, weekly: 1_000_000 }),
    );
  });
});

function withDistinctNames(segments: string[]): string[] {
  return segments.filter((text, index) => !text.startsWith('[') || segments.indexOf(text) === index);
}

/** Two patterns of the same shape would answer the same URLs, which the export refuses. */
function shapeOf(pattern: string): string {
  return segmentsOf(pattern)
    .map((text) => (text.startsWith('[...') ? '[...]' : text.startsWith('[') ? '[]' : text))
    .join('/');
}

function segmentsOf(pattern: string): string[] {
  return pattern.split('/').filter((text) => text !== '' && !text.startsWith('('));
}

/**
 * The rules of routing, spelled out: try every pattern, keep those that fit, and choose the best by the ranking of
 * kinds.
 */
function referenceMatch(
  patterns: string[],
  pathname: string,
): { pattern: string; params: Record<string, string> } | undefined {
  const trimmed = pathname.length > 2 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  const path = trimmed === '/' ? [] : trimmed.slice(1).split('/').map(decodeURIComponent);
  const fitting = patterns.flatMap((pattern) => {
    const params = referenceParams(segmentsOf(pattern), path);
    return params ? [{ pattern, params }] : [];
  });
  return fitting.toSorted((a, b) => compareRanks(ranksOf(a.pattern), ranksOf(b.pattern)))[0];
}

function referenceParams(pattern: string[], path: string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, text] of pattern.entries()) {
    if (path[index] === undefined || path[index] === '') return undefined;
    if (text.startsWith('[...')) {
      params[text.slice(4, -1)] = path.slice(index).join('/');
      return params;
    }
    if (text.startsWith('[')) params[text.slice(1, -1)] = path[index];
    else if (text !== path[index]) return undefined;
  }
  return pattern.length === path.length ? params : undefined;
}

function ranksOf(pattern: string): number[] {
  return segmentsOf(pattern).map((text) => (text.startsWith('[...') ? 2 : text.startsWith('[') ? 1 : 0));
}

function compareRanks(a: number[], b: number[]): number {
  for (const [index, rank] of a.entries()) {
    if (rank !== b[index]) return rank - (b[index] ?? 0);
  }
  return 0;
}

it('comes back to a rest parameter above when the static segments lead nowhere', () => {
  const match = createMatcher([{ pattern: '/a/[...rest]' }, { pattern: '/a/b/c' }]);
  expect(match('/a/b/x')).toStrictEqual({ entry: { pattern: '/a/[...rest]' }, params: { rest: 'b/x' } });
});

it('has the parameters of the pattern, and no others', () => {
  const match = createMatcher([{ pattern: '/[a]/[b]/[...c]' }, { pattern: '/[a]' }]);
  expect(match('/1/2/3/4')?.params).toStrictEqual({ a: '1', b: '2', c: '3/4' });
  expect(match('/1')?.params).toStrictEqual({ a: '1' });
});
