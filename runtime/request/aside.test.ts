import { expect, it, vi } from 'vitest';

it('knows whether code runs aside, from the first time in a process', async () => {
  vi.resetModules();
  const { aside, isAside } = await import('./aside.ts');
  const { trackHeaderReads } = await import('./track-headers.ts');
  expect(isAside()).toBe(false);
  const request = new Request('http://app.test/');
  trackHeaderReads(request);
  expect([aside(request, isAside), isAside(), aside(request, isAside)]).toEqual([true, false, true]);
});
