import { createHash, timingSafeEqual } from 'node:crypto';
import type { JobRunner } from '../../runtime/host.ts';
import { toScheduledRun } from '../_jobs/scheduled-run.ts';
import type { JobQueue } from './job-queue.ts';

/** Vercel calls within the minute, on a Hobby plan within the hour. A later call belongs to no scheduled time. */
const LATEST_MS = 3_660_000;

/**
 * Answers a call from one of Vercel's cron jobs by storing a run of the job named in its query.
 *
 * @param secret – what Vercel sends with the call. Without a secret, every call is refused.
 */
export async function storeScheduledRun(
  request: Request,
  secret: string | undefined,
  start: () => { runner: JobRunner; queue: JobQueue },
): Promise<Response> {
  if (secret === undefined || secret === '') {
    console.error('No schedule runs: set CRON_SECRET in the environment variables of the project on Vercel.');
    return refuse(401);
  }
  if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${secret}`)) return refuse(401);
  const job = new URL(request.url).searchParams.get('job') ?? '';
  const { runner, queue } = start();
  const schedule = runner.names.includes(job) ? await runner.findSchedule(job, async (found) => found) : undefined;
  if (!schedule) {
    console.error(
      `A cron of vercel.json is for the job ${job}, which has no schedule in this build. Remove it from vercel.json.`,
    );
    return refuse(404);
  }
  const at = await findTime(schedule, Date.now());
  if (at === undefined) {
    console.error(
      `Vercel called the schedule of the job ${job} at an unscheduled time. Compare its cron in vercel.json.`,
    );
    return refuse(409);
  }
  // Vercel may call twice for the same time.
  await queue.send(toScheduledRun(job, at, schedule.input), true);
  return Response.json({ job, scheduledAt: new Date(at).toISOString() }, { status: 202 });
}

/** The most recent scheduled time that has passed. The call does not say which time it is for. */
async function findTime(schedule: { cron: string; timeZone: string }, now: number): Promise<number | undefined> {
  const { createTimetable } = await import('../_jobs/cron.ts');
  const timetable = createTimetable(schedule);
  let last: number | undefined;
  for (let at = timetable.next(now - LATEST_MS); at !== undefined && at <= now; at = timetable.next(at)) last = at;
  return last;
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: { 'cache-control': 'no-store' } });
}

/** Whether two texts are equal, in a time that does not reveal where they differ. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
