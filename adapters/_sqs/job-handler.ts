import { setTimeout, clearTimeout } from 'node:timers';
import { codedError, createJobRunner, createTaskSet, toServerBuild } from '../../runtime/host.ts';
import type { HandlerOptions, JobRunner, ServerBuild } from '../../runtime/host.ts';
import { loadBuild } from '../_build/load-build.ts';
import { LATE_MS, toScheduledRun } from '../_jobs/scheduled-run.ts';
import { startDeadline } from './deadline.ts';
import type { Deadline, LambdaContext } from './deadline.ts';
import { enqueueTo } from './enqueue.ts';
import { parseEvent } from './event.ts';
import type { JobEvent } from './event.ts';
import type { SqsQueue } from './queue.ts';
import { settleMessage } from './settle.ts';

/** Options of {@link createRunningHandler}. */
export interface RunningOptions extends Pick<HandlerOptions, 'environment' | 'onError'> {
  /** The folder `dist/server` of the exported app, as a path or file URL, or what its `index.js` exports. */
  build: string | URL | ServerBuild;
}

/** The result of a batch. */
export interface JobBatchResult {
  /** The messages to deliver again. */
  batchItemFailures: { itemIdentifier: string }[];
}

/** A function that is called with messages of SQS, and by EventBridge Scheduler. */
export type JobHandler = (event: unknown, context?: LambdaContext) => Promise<JobBatchResult>;

/** A scheduled time is a whole minute, whatever seconds EventBridge Scheduler reports. */
const MINUTE_MS = 60_000;

/** Creates the function that runs the jobs of a queue. */
export function createRunningHandler(options: RunningOptions, queue: SqsQueue): JobHandler {
  const { environment, onError } = options;
  const build = toServerBuild(loadBuild(options));
  const tasks = createTaskSet();
  const runner = createJobRunner(
    { build, environment, onError },
    { enqueue: enqueueTo(queue), waitUntil: tasks.waitUntil, deadPlace: 'the dead-letter queue' },
  );
  return async (event, context) => {
    const deadline = startDeadline(context);
    const parsed = parseEvent(event, queue.queueUrl);
    if (parsed.kind === 'schedule') {
      await storeRun(queue, runner, parsed);
      return { batchItemFailures: [] };
    }
    const failures = await Promise.all(
      parsed.messages.map(async (message) => {
        const settled = await settleMessage(message, { queue, runner, deadline });
        return settled === 'again' ? [{ itemIdentifier: message.id }] : [];
      }),
    );
    await inTime(tasks.drain(), deadline);
    return { batchItemFailures: failures.flat() };
  };
}

/** Stores the run of a schedule, like an engine with a worker. */
async function storeRun(
  queue: SqsQueue,
  runner: JobRunner,
  { job, at }: Extract<JobEvent, { kind: 'schedule' }>,
): Promise<void> {
  const schedule = runner.names.includes(job) ? await runner.findSchedule(job, async (found) => found) : undefined;
  if (!schedule) {
    throw codedError(
      'ERR_EVENT_INVALID',
      `A schedule of template.yaml is for the job ${job}, which has no schedule in this build. Remove it from template.yaml.`,
    );
  }
  const time = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  // EventBridge Scheduler calls within the minute, and again for as long as its RetryPolicy allows.
  if (schedule.missed === 'skip' && Date.now() - time > LATE_MS + MINUTE_MS) return;
  await queue.send(toScheduledRun(job, time, schedule.input));
}

/** With a task that never ends, Lambda would end the function, and deliver every message again. */
async function inTime(promise: Promise<void>, deadline: Deadline): Promise<void> {
  const left = deadline.left();
  if (left === Number.POSITIVE_INFINITY) return promise;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, left)));
  await Promise.race([promise, over]);
  clearTimeout(timer);
}
