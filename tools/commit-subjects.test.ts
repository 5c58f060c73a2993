import { describe, expect, it } from 'vitest';
import { faultsOfSubject } from './commit-subjects.ts';

describe('the subject of a commit', () => {
  it.each([
    'express: keep the cookies a middleware has set',
    'adapters, runtime: tests of what no test saw',
    'aws-lambda: the function serves the files of the export',
    `docs: ${'x'.repeat(54)}`,
  ])('may be %s', (subject) => {
    expect(faultsOfSubject(subject)).toEqual([]);
  });

  it('has at most 60 characters', () => {
    expect(faultsOfSubject(`docs: ${'x'.repeat(55)}`)).toEqual(['has 61 characters. Use at most 60.']);
  });

  it.each(['Fix the build', 'docs:', 'Docs: a page', 'docs a page'])('names an area, unlike %s', (subject) => {
    expect(faultsOfSubject(subject)).toEqual(['does not begin with an area. Write "area: what changes for whom".']);
  });
});
