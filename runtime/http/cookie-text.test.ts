import { expect, it, vi } from 'vitest';

it('reads the first Cookie header of a process, and the next ones', async () => {
  vi.resetModules();
  const { readCookieHeader } = await import('./cookie-text.ts');
  expect({ ...readCookieHeader('a=1') }).toEqual({ a: '1' });
  expect({ ...readCookieHeader('a=1; b=2') }).toEqual({ a: '1', b: '2' });
});
