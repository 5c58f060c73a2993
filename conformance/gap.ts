import { setTimeout as delay } from 'node:timers/promises';
import type { Gap } from './emulator.ts';
import { messageOf } from './generic/message-of.ts';

/** What an attempt fails with when its limit comes first. */
export const timedOut: Error = new Error('It still waited when its time was over.');

/** Resolves when an attempt has had its time. `ended` aborts when nobody waits for it any more. */
export type Limit = (ended: AbortSignal) => Promise<void>;

/** Gives what the work failed with, {@link timedOut} when the limit comes first, undefined when it did not fail. */
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

/** A limit of time alone, for what hangs on the slowest machine. */
export function fuse(milliseconds: number): Limit {
  return (signal) => delay(milliseconds, undefined, { signal });
}

/**
 * The limit of a gap that is a hang: some time, in which the host also answers others, one after the other. Where the machine is
 * slow, they are too, so that what is only slow does not pass for what hangs.
 *
 * @param started – resolves when what is asked has started: the time begins then.
 * @param within – a host that gives no answers within this limit hangs as a whole, which is another failure.
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
      for (; answers < 50; answers += 1) await (await answer(signal)).text();
    })();
    const tooLate = within(signal).then(() => {
      throw new Error(`It waited, and the host gave others only ${answers} of 50 answers meanwhile.`);
    });
    await Promise.race([answered, tooLate]);
  };
}

/** Throws when a behaviour has failed otherwise than its gap says. */
export function assertFailsAs({ behaviour, fails }: Gap, failure: unknown): void {
  const isExpected =
    fails === 'time-out' ? failure === timedOut : failure !== timedOut && fails.test(messageOf(failure));
  if (isExpected) return;
  const expected = fails === 'time-out' ? 'by waiting without end' : `by ${fails}`;
  throw new Error(`The gap "${behaviour}" fails ${expected}. This time: ${messageOf(failure)}`, { cause: failure });
}
