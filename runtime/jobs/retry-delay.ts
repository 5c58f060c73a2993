import type { JobSettings } from './definition.ts';

/** The random part of a delay, so that jobs that failed together are not retried together. */
const JITTER = 0.2;

/**
 * How long the next attempt waits, in milliseconds.
 *
 * @param attempt – the one that has failed, from 1.
 * @param random – from 0 to 1.
 */
export function toRetryDelay(
  { delayMs, factor, maxDelayMs }: JobSettings['retry'],
  attempt: number,
  random: number,
): number {
  const grown = Math.min(delayMs * factor ** (attempt - 1), maxDelayMs);
  return Math.round(grown * (1 - JITTER * random));
}
