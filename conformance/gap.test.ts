import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Gap } from './emulator.ts';
import { assertFailsAs, failureOf, fuse, timedOut, whileAnswering } from './gap.ts';

const never = (): Promise<void> => new Promise(() => {});
const atOnce = (): Promise<void> => Promise.resolve();

function gap(fails: Gap['fails']): Gap {
  return { behaviour: 'does it', fails, reason: 'It cannot.', link: 'https://host.example' };
}

it('returns the failure of a behaviour, and nothing when it does not fail', async () => {
  const error = new Error('wrong');
  expect(await failureOf(Promise.reject(error), never)).toBe(error);
  expect(await failureOf(Promise.resolve(), never)).toBe(undefined);
});

it('treats a behaviour that throws undefined as failed', async () => {
  expect(await failureOf(Promise.reject(undefined), never)).toBeInstanceOf(Error);
});

it('gives up on work that still waits at its limit, and ends the limit of finished work', async () => {
  expect(await failureOf(never(), fuse(1))).toBe(timedOut);
  let signal: AbortSignal | undefined;
  await failureOf(Promise.resolve(), (ended) => {
    signal = ended;
    return never();
  });
  expect(signal?.aborted).toBe(true);
});

it('waits for a hanging gap as long as the host does not answer others', async () => {
  let answers = 0;
  let done = (): void => {};
  const work = new Promise<void>((resolve) => (done = resolve));
  const slow = async (): Promise<Response> => {
    answers += 1;
    // The apparent hang ends while the host answers others.
    if (answers === 2) done();
    return new Response('hello');
  };
  expect(await failureOf(work, whileAnswering(slow, { milliseconds: 1, started: atOnce, within: never }))).toBe(
    undefined,
  );
});

it('begins to wait for a hanging gap once its server has started', async () => {
  let end = (): void => {};
  const work = new Promise<void>((resolve) => (end = resolve));
  const started = async (): Promise<void> => {
    // Longer than the time and the answers take, which must not begin before.
    await setTimeout(100);
    end();
  };
  const answer = (): Promise<Response> => Promise.resolve(new Response('hello'));
  expect(await failureOf(work, whileAnswering(answer, { milliseconds: 1, started, within: never }))).toBe(undefined);
});

it('fails with the failure of the host while something hangs there', async () => {
  const gone = new Error('the host is gone');
  expect(
    await failureOf(
      never(),
      whileAnswering(() => Promise.reject(gone), { milliseconds: 1, started: atOnce, within: never }),
    ),
  ).toBe(gone);
});

it('does not confuse a host that hangs entirely with one where something hangs', async () => {
  let answers = 0;
  let hang = (): void => {};
  const hung = new Promise<void>((resolve) => (hang = resolve));
  const dying = (): Promise<Response> => {
    answers += 1;
    if (answers <= 2) return Promise.resolve(new Response('hello'));
    hang();
    return new Promise<Response>(() => {});
  };
  const failure = await failureOf(
    never(),
    whileAnswering(dying, { milliseconds: 1, started: atOnce, within: () => hung }),
  );
  expect(() => assertFailsAs(gap('time-out'), failure)).toThrow('gave others only 2 of 20 answers');
});

it('accepts a gap that fails as it says', () => {
  assertFailsAs(gap(/expected 500 to be 400/), new Error('expected 500 to be 400'));
  assertFailsAs(gap(/ECONNRESET/), new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }));
  assertFailsAs(gap('time-out'), timedOut);
});

it('does not accept a gap that fails in another way', () => {
  expect(() => assertFailsAs(gap(/expected 500 to be 400/), new Error('expected 404 to be 400'))).toThrow(
    'The gap "does it" fails by /expected 500 to be 400/. This time: expected 404 to be 400',
  );
  expect(() => assertFailsAs(gap('time-out'), new Error('wrong'))).toThrow(/by waiting without end.*wrong/);
});

it('does not accept a time-out on a slow machine for a gap with its own failure', () => {
  expect(() => assertFailsAs(gap(/./), timedOut)).toThrow(/still waited/);
});
