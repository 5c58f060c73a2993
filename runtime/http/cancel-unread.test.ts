import { afterEach, expect, it, vi } from 'vitest';
import { cancelBody, cancelUnread } from './cancel-unread.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** When a stream is cancelled, and with what. */
async function cancelled(): Promise<{ isAtOnce: boolean; reasons: unknown[] }> {
  const reasons: unknown[] = [];
  const stream = new ReadableStream({ cancel: (reason) => void reasons.push(reason) });
  const done = cancelUnread(stream, 'nobody reads it');
  const isAtOnce = reasons.length > 0;
  await done;
  return { isAtOnce, reasons };
}

it('cancels after the current turn, in which Node passes on what the source holds', async () => {
  expect(await cancelled()).toEqual({ isAtOnce: false, reasons: ['nobody reads it'] });
});

it('also where the platform does not say what it is, as Node 20', async () => {
  vi.stubGlobal('navigator', undefined);
  expect(await cancelled()).toEqual({ isAtOnce: false, reasons: ['nobody reads it'] });
});

it('cancels at once on Cloudflare, which has no turn after the answer', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  expect(await cancelled()).toEqual({ isAtOnce: true, reasons: ['nobody reads it'] });
});

it('leaves a Response without a body alone', () => {
  expect(() => cancelBody(new Response(null))).not.toThrow();
});
