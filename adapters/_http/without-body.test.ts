import { expect, it, vi } from 'vitest';
import { withoutBody } from './without-body.ts';

it('keeps the head, and cancels the source of the body', async () => {
  const cancel = vi.fn();
  const body = new ReadableStream({ cancel });
  const given = withoutBody(new Response(body, { status: 203, statusText: 'Fine', headers: { 'x-a': 'b' } }));
  expect([given.status, given.statusText, given.headers.get('x-a'), given.body]).toEqual([203, 'Fine', 'b', null]);
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

it('answers although the source cannot be cancelled', () => {
  const body = new ReadableStream({ cancel: () => Promise.reject(new Error('busy')) });
  expect(withoutBody(new Response(body)).body).toBeNull();
});

it('is the same response if it has no body', () => {
  const response = new Response(null, { status: 204 });
  expect(withoutBody(response)).toBe(response);
});
