import { isGone } from './exchange.ts';
import type { Answer } from './exchange.ts';

/** The members that we use of a Node response. */
interface Draining extends Omit<Answer, 'destroy'> {
  on(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close' | 'drain', listener: () => void): unknown;
}

/** Waits until the client has received what was written, or has left. */
export function whenDrained(stream: Draining): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
    if (isGone(stream)) done();
  });
}
