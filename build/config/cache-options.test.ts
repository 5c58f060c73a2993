import { describe, expect, it } from 'vitest';

import { parseCacheRules } from './cache-options.ts';

function parse(value: unknown): { rules: unknown[]; problems: string[] } {
  const problems: string[] = [];
  const rules = parseCacheRules(value, (message, fix) => void problems.push(`${message} ${fix}`));
  return { rules, problems };
}

describe('the option cache', () => {
  it('is a list of paths with the times in seconds', () => {
    const rules = [
      {
        source: '/docs/[...path]',
        maxAge: 60,
        swr: 600,
        staleIfError: 3600,
        tags: ['docs'],
        vary: ['accept-language'],
      },
      { source: '/', maxAge: 0 },
    ];
    expect(parse(rules)).toEqual({ rules, problems: [] });
    expect(parse(undefined)).toEqual({ rules: [], problems: [] });
  });

  it('names what is wrong, and what to do', () => {
    expect(parse({}).problems).toEqual([
      'The option cache of appkit-router is {}. Make it a list, such as [{ "source": "/docs/[...path]", "maxAge": 60 }].',
    ]);
    const rules = [
      5,
      { maxAge: 1 },
      { source: 'x', maxAge: 1 },
      { source: '/a', maxage: 1 },
      { source: '/b', maxAge: 1.5, swr: -1, staleIfError: '1' },
      { source: '/c', maxAge: 1, tags: ['/c'], vary: ['a b'] },
    ];
    expect(parse(rules).problems).toEqual([
      'cache[0] is 5. Make it an object with source and maxAge.',
      'The source of cache[1] is undefined. Give it a path, such as "/docs/[...path]".',
      'The source "x" of cache[2] does not start with "/". Write the path from the root of the app.',
      'cache[3] has no key maxage. Did you mean maxAge?',
      'The key maxAge of cache[3] is undefined. Make it a whole number of seconds.',
      'The key maxAge of cache[4] is 1.5. Make it a whole number of seconds.',
      'The key swr of cache[4] is -1. Make it a whole number of seconds.',
      'The key staleIfError of cache[4] is "1". Make it a whole number of seconds.',
      'The key tags of cache[5] is ["/c"]. Make it a list of visible ASCII characters without a comma, at most 200 each, not starting with "/".',
      'The key vary of cache[5] is ["a b"]. Make it a list of names of request headers.',
    ]);
  });

  it('has one rule per path', () => {
    const rules = [
      { source: '/a/[id]', maxAge: 1 },
      { source: '/a/[name]/', maxAge: 2 },
    ];
    expect(parse(rules).problems).toEqual([
      'cache[0] and cache[1] are for the same paths: /a/[name]. Keep one of them.',
    ]);
  });
});
