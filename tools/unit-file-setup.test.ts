import { expect, it, vi } from 'vitest';

/** Pauses this process, as a busy machine may. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

it('lets a test wait for longer than a second', async () => {
  for (const wait of [vi.waitFor, vi.waitUntil]) {
    let looks = 0;
    const look = (): true => {
      looks++;
      if (looks === 2) pause(1100);
      if (looks < 4 && wait === vi.waitFor) throw new Error('not yet');
      return (looks >= 4) as true; // until it is
    };
    await wait(look);
    expect(looks).toBe(4);
  }
});
