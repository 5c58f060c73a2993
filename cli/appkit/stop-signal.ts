const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A signal that asks a process to end. */
export type StopSignal = (typeof SIGNALS)[number];

/** 128 and the number of the signal: what a shell reports for a process that a signal ended. */
export const EXIT_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143 };

/** Waits for the first request to stop. A second one ends the process at once. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT_CODES[signal]);
        asked = true;
        resolve(signal);
      });
    }
  });
}
