import { setTimeout as delay } from 'node:timers/promises';
import type { Gap } from './emulator.ts';
import { messageOf } from './generic/message-of.ts';

/** The failure of an attempt whose limit is over. */
export const timedOut: Error = new Error('It still waited when its time was over.');

/** Resolves when an attempt's time is over. `ended` aborts when the limit is no longer needed. */
export type Limit = (ended: AbortSignal) => Promise<void>;

/**
 * Returns the work's failure, {@link timedOut} when the limit comes first, or undefined when the work does not fail.
 */
export async function failureOf(work: Promise<void>, limit: Limit): Promise<unknown> {
  const ended = new AbortController();
  const failure = work.then(
    () => undefined,
    (error: unknown) => error ?? new Error(`It failed with ${error}.`),
  );
  const over = limit(ended.signal).then(
    () => timedOut,
    (error: unknown) => error,
  );
  try {
    return await Promise.race([failure, over]);
  } finally {
    ended.abort();
  }
}

/** A pure time limit, for work that hangs even on the slowest machine. */
export function fuse(milliseconds: number): Limit {
  return (signal) => delay(milliseconds, undefined, { signal });
}

/** How many requests a host answers while a gap hangs. Behaviours that do not hang take less time than these. */
const ANSWERS = 20;

/**
 * The limit of a hanging gap: some time, in which the host also answers other requests, one after the other. On a slow
 * machine these are slow, too, so that mere slowness does not pass for a hang.
 *
 * @param started – resolves when the work has started: the time begins then.
 * @param within – a host that does not answer within this limit hangs entirely, which is a different failure.
 */
export function whileAnswering(
  answer: (signal: AbortSignal) => Promise<Response>,
  { milliseconds = 2_000, started, within }: { milliseconds?: number; started: () => Promise<void>; within: Limit },
): Limit {
  return async (signal) => {
    let answers = 0;
    const answered = (async () => {
      await started();
      await delay(milliseconds, undefined, { signal });
      for (; answers < ANSWERS; answers += 1) await (await answer(signal)).text();
    })();
    const tooLate = within(signal).then(() => {
      throw new Error(`It waited, and the host gave others only ${answers} of ${ANSWERS} answers meanwhile.`);
    });
    await Promise.race([answered, tooLate]);
  };
}

/** Throws when a behaviour has failed in another way than its gap says. */
export function assertFailsAs({ behaviour, fails }: Gap, failure: unknown): void {
  const isExpected =
    fails === 'time-out' ? failure === timedOut : failure !== timedOut && fails.test(messageOf(failure));
  if (isExpected) return;
  const expected = fails === 'time-out' ? 'by waiting without end' : `by ${fails}`;
  throw new Error(`The gap "${behaviour}" fails ${expected}. This time: ${messageOf(failure)}`, { cause: failure });
}
