/** How often a property is tried: every time the tests are run, and in the long run of every week. */
export interface PropertyRuns {
  push: number;
  weekly: number;
}

/** Whether this is the long run. */
export const isWeekly: boolean = process.env['APPKIT_PROPERTY_RUNS'] === 'weekly';

/**
 * How often to try a property, and from which seed: the same one every time, so that a run fails only by what was changed.
 * With `APPKIT_PROPERTY_RUNS=weekly` it is tried more often, from another seed each time. A failure names the seed;
 * `APPKIT_PROPERTY_SEED` gives it again.
 */
export function propertyRuns({ push, weekly }: PropertyRuns): { numRuns: number; seed: number } {
  const given = process.env['APPKIT_PROPERTY_SEED'];
  const seed = isWeekly ? Math.floor(Math.random() * 2 ** 31) : 1;
  return { numRuns: isWeekly ? weekly : push, seed: given === undefined ? seed : Number(given) };
}
