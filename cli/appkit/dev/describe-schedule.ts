import type { Job } from 'appkit-server/jobs';

/**
 * Describes the schedule of a job, or why it is unknown.
 *
 * @param load – imports the file of the job.
 * @returns `undefined` for a job without a schedule.
 */
export async function describeSchedule(load: () => unknown): Promise<string | undefined> {
  try {
    const { default: loaded } = (await load()) as { default?: Job };
    const { schedule } = loaded?.['~job'] ?? {};
    return schedule && `${schedule.cron} in ${schedule.timeZone}`;
  } catch (error) {
    return toUnknown(error);
  }
}

/** The description of a schedule that cannot be read. */
export function toUnknown(error: unknown): string {
  return `It cannot be loaded: ${error instanceof Error ? error.message : String(error)}`;
}
