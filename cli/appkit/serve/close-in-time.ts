import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import type { AppServer } from './app-server.ts';

/** Closes a server. Resolves to false when its requests and tasks take longer than the limit. */
export async function closeInTime({ close }: Pick<AppServer, 'close'>, limitSeconds: number): Promise<boolean> {
  const limitMs = limitSeconds * 1000;
  return Promise.race([close(limitMs).then(() => true), delay(limitMs, false, { ref: false })]);
}

/** Keeps answering for that time, and says so. */
export async function waitWhileDraining(ms: number): Promise<void> {
  if (ms === 0) return;
  console.log(
    `Closing in ${ms / 1000} seconds, so that a proxy sees that this server is not ready. A second signal stops at once.`,
  );
  await delay(ms);
}

/** After a signal to stop, prints what is still being waited for. */
export function printRunning(running: number): void {
  if (running === 0) return;
  console.log(`Finishing ${running === 1 ? 'one request' : `${running} requests`}. A second signal stops at once.`);
}

/** The error for work that did not finish in time. */
export function tooLate(limitSeconds: number): CommandError {
  return new CommandError(
    `Requests or tasks were still running ${limitSeconds} seconds after the signal to stop, and were cut off.`,
    'Give them more time with --shutdown-timeout, or end streams once isDraining() is true: eventStream() does with endless: true.',
  );
}
