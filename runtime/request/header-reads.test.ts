import { expect, it } from 'vitest';
import { noteWholeRead } from './header-reads.ts';
import { trackHeaderReads } from './track-headers.ts';

it('notes that all headers were read, of a request whose reads are tracked', () => {
  const request = new Request('http://app.test/');
  noteWholeRead(request);
  const reads = trackHeaderReads(request);
  expect(reads.isAll).toBe(false);
  noteWholeRead(request);
  expect(reads.isAll).toBe(true);
});
