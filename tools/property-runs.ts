/** How often a property is tried in a normal test run and in the long weekly run. */
export interface PropertyRuns {
  push: number;
  weekly: number;
}

/** Whether this is the long run. */
export const isWeekly: boolean = process.env['APPKIT_PROPERTY_RUNS'] === 'weekly';

/**
 * How often to try a property, and from which seed: normally always the same seed, so that only a change can make a run
 * fail. With `APPKIT_PROPERTY_RUNS=weekly`, it is tried more often, from another seed each time. A failure names the
 * seed; set `APPKIT_PROPERTY_SEED` to repeat it.
 */
export function propertyRuns({ push, weekly }: PropertyRuns): { numRuns: number; seed: number } {
  const given = process.env['APPKIT_PROPERTY_SEED'];
  const seed = isWeekly ? Math.floor(Math.random() * 2 ** 31) : 1;
  return { numRuns: isWeekly ? weekly : push, seed: given === undefined ? seed : Number(given) };
}
