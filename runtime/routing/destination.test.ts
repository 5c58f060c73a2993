import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { createDestination } from './destination.ts';

const fill = (source: string, destination: string, pathname: string, search = ''): string | undefined =>
  createDestination(source, destination)(pathname, search);

describe('createDestination', () => {
  const table: [source: string, destination: string, pathname: string, filled: string | undefined][] = [
    ['/old', '/new', '/old', '/new'],
    ['/old', '/', '/old/', '/'],
    ['/old/[id]', '/new/[id]', '/old/7', '/new/7'],
    ['/[a]/[b]', '/[b]/x/[a]', '/1/2', '/2/x/1'],
    ['/old/[...path]', '/new/[...path]', '/old/a/b%20c/', '/new/a/b%20c'],
    ['/old/[...path]', '/new/[...path]/end', '/old/a/b', '/new/a/b/end'],
    ['/old', 'https://example.com/new?a=b#c', '/old', 'https://example.com/new?a=b#c'],
    ['/old/[id]', 'https://example.com/[id]', '/old/7', 'https://example.com/7'],
    ['/old', 'https://example.com', '/old', 'https://example.com/'],
    ['/old/[id]', '/find?q=[id]&in=a-[id]', '/old/a%26b', '/find?q=a%26b&in=a-a%26b'],
    ['/old/[...path]', '/find?q=[...path]', '/old/a/b', '/find?q=a%2Fb'],
    ['/old', '/caf\u00e9/a b', '/old', '/caf%C3%A9/a%20b'],
    ['/old', '/caf%C3%A9/100%25', '/old', '/caf%C3%A9/100%25'],
    ['/old/[id]', '/new/[id]', '/old/caf%C3%A9', '/new/caf%C3%A9'],
    // A value stays in its segment, after the host.
    ['/old/[id]', '/new/[id]', '/old/a%2Fb%3Fc%23d', '/new/a%2Fb%3Fc%23d'],
    ['/[...path]', '/[...path]', '/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['/[...path]', '/[...path]', '/%5Cevil.example', '/%5Cevil.example'],
    ['/[id]', '/[id]', '/%0D%0Aset-cookie:a=b', '/%0D%0Aset-cookie%3Aa%3Db'],
    ['/old/[...path]', '/new/[...path]', '/old/a%2F..%2F..%2Fb', '/new/a%2F..%2F..%2Fb'],
    // The URL parser leaves no such segment in a request.
    ['/old/[id]', '/new/[id]/x', '/old/..', undefined],
    ['/old/[...path]', '/new/[...path]', '/old/a/%2e%2e/b', undefined],
    ['/old/[id]', '/new/[id]', '/old/%2e', undefined],
    ['/old', 'http://example.com/new', '/old', 'http://example.com/new'],
    // Only a whole segment, or a part of a value in the query, is a parameter.
    ['/old/[id]', '/new/[id', '/old/7', '/new/%5Bid'],
    ['/old/[id]', '/new/id]', '/old/7', '/new/id%5D'],
    ['/old/[id]', '/find?a[id]=[id]', '/old/7', '/find?a%5Bid%5D=7'],
    ['/old', '/100%2x', '/old', '/100%252x'],
  ];
  for (const [source, destination, pathname, filled] of table) {
    it(`${source} to ${destination} for ${pathname}: ${filled ?? 'none'}`, () => {
      expect(fill(source, destination, pathname)).toBe(filled);
    });
  }

  const queries: [destination: string, search: string, filled: string][] = [
    ['/new', '?a=1&b=%20+&&c', '/new?a=1&b=%20+&&c'],
    ['/new', '?', '/new'],
    ['/new?a=0', '?', '/new?a=0'],
    ['/new?a=0', '?a=1&b=2&a=3&c=4', '/new?a=0&b=2&c=4'],
    ['/new?a=0#here', '?b=2', '/new?a=0&b=2#here'],
    ['/new?a=0', '?%61=1&a', '/new?a=0'],
    ['/new?caf%C3%A9=0', '?caf%C3%A9=1&cafe=2', '/new?caf%C3%A9=0&cafe=2'],
  ];
  for (const [destination, search, filled] of queries) {
    it(`${destination} with the query ${search}: ${filled}`, () => {
      expect(fill('/old', destination, '/old', search)).toBe(filled);
    });
  }

  it('refuses a parameter that the source does not have', () => {
    for (const destination of ['/[name]', '/[...id]', '/x?y=[name]', '/[undefined]']) {
      expect(() => createDestination('/a/[id]', destination)).toThrow(
        expect.objectContaining({
          code: 'ERR_BUILD_INVALID',
          message: expect.stringContaining('which its source does not define'),
        }),
      );
    }
  });

  it('keeps every value in its place, whatever it contains', () => {
    const nasty = fc.constantFrom(
      '..',
      '.',
      '//evil.example',
      '\\',
      '\r\nx: y',
      '%2f',
      '%',
      '?',
      '#',
      '[id]',
      '@',
      ':',
      'é',
    );
    const value = fc.oneof(nasty, fc.string({ unit: 'grapheme', minLength: 1 }));
    const part = fc.constantFrom('a', '[x]', '[y]', '[...z]');
    const query = fc.array(fc.constantFrom('k=[x]', 'l=1', 'm=-[...z]'), { maxLength: 2 });
    const kept = fc.array(fc.constantFrom('k=9', 'n=2', 'l'), { maxLength: 3 });
    const host = fc.constantFrom('', 'https://example.com');
    const rest = fc.array(value, { minLength: 1, maxLength: 3 });
    const everything = fc.record({
      x: value,
      y: value,
      z: rest,
      parts: fc.array(part, { minLength: 1 }),
      query,
      kept,
      host,
    });

    fc.assert(
      fc.property(everything, ({ x, y, z, parts, query: pairs, kept: search, host: origin }) => {
        const pathname = `/old/${[x, y, ...z].map(encodeURIComponent).join('/')}`;
        const template = `${origin}/${parts.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
        const filled = fill('/old/[x]/[y]/[...z]', template, pathname, `?${search.join('&')}`);

        const values: Record<string, string[]> = { a: ['a'], '[x]': [x], '[y]': [y], '[...z]': z };
        const segments = parts.flatMap((name) => values[name] ?? []);
        if (segments.some((segment) => segment === '.' || segment === '..')) {
          expect(filled).toBeUndefined();
          return;
        }
        expect(filled).toMatch(/^[!-~]+$/);
        const url = new URL(filled ?? '', 'https://app.test');
        expect(url.origin).toBe(origin === '' ? 'https://app.test' : origin);
        expect(url.hash).toBe('');
        expect(url.pathname.slice(1).split('/').map(decodeURIComponent)).toEqual(segments);
        const set = pairs.map((pair): [string, string] => {
          const [name = '', text = ''] = pair.split('=');
          return [name, text.replace('[x]', () => x).replace('[...z]', () => z.join('/'))];
        });
        const unset = [...new URLSearchParams(search.join('&'))].filter(
          ([name]) => !set.some(([other]) => other === name),
        );
        expect([...url.searchParams]).toEqual([...set, ...unset]);
      }),
      propertyRuns({ push: 1000, weekly: 100_000 }),
    );
  });
});
