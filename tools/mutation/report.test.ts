import { describe, expect, it } from 'vitest';
import { describe as print, explain, isEnough, replaceSection, staleOf, toSection } from './report.ts';
import type { AreaResult, End, Reason, TriedMutant } from './report.ts';

const reason: Reason = { file: 'a.ts', code: 'if (a > 1) {', from: 'a > 1', to: 'a >= 1', reason: 'a is never 1' };

function mutant(end: End, changes: Partial<TriedMutant> = {}): TriedMutant {
  const { reason: _, ...place } = reason;
  return { id: '1', line: 7, ...place, end, reason: undefined, ...changes };
}

function area(...mutants: TriedMutant[]): AreaResult {
  return { name: 'folder', mutants };
}

describe('a reason', () => {
  it('is found again when lines have moved', () => {
    expect(explain(mutant('survived', { line: 70 }), [reason])).toBe('a is never 1');
  });

  it('is not for another mutant of the same line', () => {
    expect(explain(mutant('survived', { to: 'true' }), [reason])).toBeUndefined();
  });

  it('is stale once its mutant is killed or its line has been removed', () => {
    expect(staleOf([reason], [area(mutant('killed'))])).toEqual([reason]);
    expect(staleOf([reason], [area(mutant('survived', { code: 'if (a > 2) {' }))])).toEqual([reason]);
    expect(staleOf([reason], [area(mutant('survived'))])).toEqual([]);
  });

  it('is not stale when its file was not tried', () => {
    expect(staleOf([reason], [area(mutant('killed', { file: 'b.ts' }))])).toEqual([]);
  });
});

describe('the score', () => {
  const killed = (count: number): TriedMutant[] => Array.from({ length: count }, () => mutant('killed'));

  it('is enough from 85 % on, of all mutants: including those with a reason and those that no test reaches', () => {
    const others = [mutant('survived', { reason: 'none' }), mutant('survived'), mutant('not reached')];
    expect(isEnough(area(...killed(17), ...others))).toBe(true);
    expect(isEnough(area(...killed(16), ...others))).toBe(false);
  });

  it('is not rounded up', () => {
    const almost = area(...killed(8499), ...Array.from({ length: 1501 }, () => mutant('survived')));
    expect(print([almost])).toContain('84.9 %');
  });
});

it('prints each survivor without a reason, with its line', () => {
  const printed = print([area(mutant('survived'), mutant('not reached', { line: 9, reason: 'known' }))]);
  expect(printed).toContain('a.ts:7: survived: a > 1 → a >= 1');
  expect(printed).not.toContain('a.ts:9');
});

it('replaces its part of the page, and nothing else', () => {
  const write = (page: string, ...results: AreaResult[]): string =>
    replaceSection(page, toSection(results, { names: ['first', 'folder'], before: page }));
  const once = write('# Page\n\ntext\n', area(mutant('killed')));
  expect(once).toContain('| folder | 1 | 1 | 0 | 0 | 0 | 100.0 % |');
  const twice = write(`${once}\nafter\n`, area(mutant('survived')));
  expect(twice).toContain('| folder | 1 | 0 | 1 | 0 | 0 | 0.0 % |');
  expect(twice).not.toContain('100.0 %');
  expect(twice.startsWith('# Page\n\ntext\n')).toBe(true);
  expect(twice.endsWith('\nafter\n')).toBe(true);
  expect(write(twice, area(mutant('survived')))).toBe(twice);

  const both = write(twice, { ...area(mutant('killed')), name: 'first' });
  expect(both).toContain('| first | 1 | 1 | 0 | 0 | 0 | 100.0 % |\n| folder | 1 | 0 | 1 | 0 | 0 | 0.0 % |\n');
});
