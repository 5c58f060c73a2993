import { expect, it } from 'vitest';
import { HeaderReads } from './header-reads.ts';
import { findUnsaid } from './unsaid-reads.ts';

function unsaidFor(host: string): string | undefined {
  const reads = new HeaderReads();
  reads.note('host');
  return findUnsaid(new Request('http://shop.example:8080/a', { headers: { host } }), reads, []);
}

it('takes the host for a part of the URL', () => {
  expect(unsaidFor('shop.example:8080')).toBeUndefined();
});

it('takes the host for a header of its own if the URL has another, as behind a trusted proxy', () => {
  expect(unsaidFor('internal')).toBe('host');
});
