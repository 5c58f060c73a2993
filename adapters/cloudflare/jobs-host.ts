import type { HostedJob, JobsHost, JobsHostProblem } from '../_deploy/jobs-host.ts';
import { unknownSetting } from '../_deploy/jobs-host.ts';
import { timesOfJob, timesOfTrigger, toCloudflareCron } from './cron.ts';
import { parseJsonc } from './jsonc.ts';

const CONFIG = 'wrangler.jsonc';
/** The longest time of an invocation of a consumer. */
const LONGEST_MS = 900_000;
/** The largest number of invocations of a consumer at the same time. */
const MOST_AT_ONCE = 250;
const DEFAULT_CONCURRENCY = 4;

/** Cloudflare, where the configuration names the queues, the consumer and the crons of a Worker. */
export const jobsHost: JobsHost = {
  title: 'Cloudflare',
  adapter: 'appkit-server/adapter/cloudflare',
  engine: 'appkit-server/jobs/cloudflare',
  configFile: CONFIG,
  findProblems(text, jobs) {
    const refused = jobs.flatMap(refuse);
    if (refused.length > 0) return refused;
    const config = parseJsonc(text);
    if (!isObject(config)) {
      return [{ message: `${CONFIG} is not an object of JSON with comments.`, fix: 'Correct it first.' }];
    }
    // A named environment has its own queues, and inherits the crons.
    const environments = isObject(config['env']) ? Object.entries(config['env']) : [];
    return [
      ...compare(config, { jobs, place: CONFIG }),
      ...environments.flatMap(([name, own]) =>
        compare({ triggers: config['triggers'], ...toObject(own) }, { jobs, place: `${CONFIG}, env.${name}` }),
      ),
    ];
  },
  fillTemplate({ path, text }, jobs) {
    if (path === 'worker.mjs') return fillWorker(text);
    if (path !== CONFIG) return text;
    const name = String(toObject(parseJsonc(text))['name'] ?? 'my-app');
    const blocks = [queuesOf(name, jobs), triggersOf(jobs)].filter((block) => block !== '');
    return text.replace(/,?\s*\}\s*$/, `,\n${blocks.join(',\n')},\n}\n`);
  },
  commands: (text) => {
    const { producers } = toObject(toObject(parseJsonc(text))['queues']);
    return toList(producers).map(({ queue }) => `npx wrangler queues create ${String(queue)}`);
  },
};

/** What Cloudflare cannot do for a job, whatever the configuration says. */
function refuse(job: HostedJob): JobsHostProblem[] {
  const { name, source, schedule, timeoutMs, concurrency } = job;
  const problems: JobsHostProblem[] = [];
  for (const [setting, value] of Object.entries({ schedule, timeoutMs, concurrency })) {
    if (value === 'unknown') problems.push(unknownSetting(job, { setting, title: 'Cloudflare' }));
  }
  const refused = (why: string, fix: string): unknown =>
    problems.push({ message: `${source}: the job ${name} ${why}`, fix });
  if (typeof timeoutMs === 'number' && timeoutMs > LONGEST_MS) {
    refused(
      `has a timeoutMs of ${timeoutMs}, and Cloudflare ends it after 15 minutes.`,
      `Set it to ${LONGEST_MS} at most, and split the work into several jobs.`,
    );
  }
  if (schedule === undefined || schedule === 'unknown') return problems;
  const { cron, timeZone, missed } = schedule;
  if (timeZone !== 'UTC') {
    refused(
      `has a schedule in the time zone ${timeZone}, and the crons of Cloudflare are in UTC.`,
      'Write the cron in UTC, and leave timeZone out.',
    );
  }
  if (missed === 'once') {
    refused(
      "has a schedule with missed: 'once', and Cloudflare does not make up for missed times.",
      'Leave missed out.',
    );
  }
  if (timesOfJob(cron) === undefined) {
    refused(
      `has the cron ${cron}, which Cloudflare does not support.`,
      'Write numbers, *, ranges from low to high, lists, steps, and the names of months and days.',
    );
  }
  return problems;
}

/** Compares one place of a configuration with what the jobs need there. */
function compare(
  config: Record<string, unknown>,
  { jobs, place }: { jobs: readonly HostedJob[]; place: string },
): JobsHostProblem[] {
  const problems: JobsHostProblem[] = [];
  const { producers, consumers } = toObject(config['queues']);
  const queueOf = (binding: string): unknown => toList(producers).find((one) => one['binding'] === binding)?.['queue'];
  const [queue, dead] = [queueOf('JOBS'), queueOf('DEAD_JOBS')];
  const name = typeof config['name'] === 'string' ? config['name'] : 'my-app';
  const lacking = [
    ...(queue === undefined ? ['a producer with the binding JOBS'] : []),
    ...(dead === undefined ? ['a producer with the binding DEAD_JOBS'] : []),
    ...(queue === dead && queue !== undefined ? ['different queues for JOBS and DEAD_JOBS'] : []),
    ...explainConsumer(
      toList(consumers).find((one) => one['queue'] === queue),
      { jobs, dead },
    ),
  ];
  if (lacking.length > 0) {
    const names = { queue: String(queue ?? `${name}-jobs`), dead: String(dead ?? `${name}-dead-jobs`) };
    const message = `${place}: the app's jobs need ${lacking.join(', ')}.`;
    problems.push({ message, fix: `Write into it, next to your own queues:\n\n${queuesOf(name, jobs, names)},` });
  }
  const { crons } = toObject(config['triggers']);
  const present = (Array.isArray(crons) ? crons : []).map((cron) => timesOfTrigger(String(cron)));
  const missing = jobs.filter(({ schedule }) => isShown(schedule) && !present.includes(timesOfJob(schedule.cron)));
  if (missing.length > 0) {
    const named = missing.map(({ name: job, source }) => `${job} (${source})`).join(', ');
    const message = `${place}: the crons do not contain the schedule of ${named}.`;
    problems.push({ message, fix: `Write into it, next to your own crons:\n\n${triggersOf(jobs)},` });
  }
  return problems;
}

function explainConsumer(
  consumer: Record<string, unknown> | undefined,
  { jobs, dead }: { jobs: readonly HostedJob[]; dead: unknown },
): string[] {
  if (!consumer) return ['a consumer of that queue'];
  const { max_batch_size: size = 10, max_concurrency: atOnce = MOST_AT_ONCE } = consumer;
  const most = smallestConcurrency(jobs);
  return [
    ...(consumer['max_retries'] === 100 ? [] : ['"max_retries": 100 of its consumer']),
    ...(dead === undefined || consumer['dead_letter_queue'] === dead
      ? []
      : [`"dead_letter_queue": ${JSON.stringify(dead)} of its consumer`]),
    ...(Number(size) * Number(atOnce) <= most
      ? []
      : [`max_batch_size times max_concurrency of at most ${most}, the smallest concurrency of a job`]),
  ];
}

/**
 * All jobs share a consumer, which does not distinguish them. So the smallest concurrency applies to all, and no job
 * exceeds its own.
 */
function smallestConcurrency(jobs: readonly HostedJob[]): number {
  const allowed = jobs.map(({ concurrency }) => (typeof concurrency === 'number' ? concurrency : DEFAULT_CONCURRENCY));
  return Math.min(MOST_AT_ONCE, ...allowed);
}

function queuesOf(
  name: string,
  jobs: readonly HostedJob[],
  { queue, dead } = { queue: `${name}-jobs`, dead: `${name}-dead-jobs` },
): string {
  return `  "queues": {
    "producers": [
      { "binding": "JOBS", "queue": "${queue}" },
      { "binding": "DEAD_JOBS", "queue": "${dead}" },
    ],
    "consumers": [
      {
        "queue": "${queue}",
        "dead_letter_queue": "${dead}",
        "max_retries": 100,
        // For a Worker that cannot start. A job that fails waits for its own delay.
        "retry_delay": 60,
        "max_batch_size": 1,
        "max_batch_timeout": 0,
        "max_concurrency": ${smallestConcurrency(jobs)},
      },
    ],
  }`;
}

function triggersOf(jobs: readonly HostedJob[]): string {
  const crons = jobs.flatMap(({ schedule }) => (isShown(schedule) ? [toCloudflareCron(schedule.cron)] : []));
  if (crons.length === 0) return '';
  return `  "triggers": { "crons": ${JSON.stringify([...new Set(crons)])} }`.replaceAll('","', '", "');
}

function fillWorker(text: string): string {
  return text
    .replace(/^import \{ createRequestHandler \} from '(.+)';\n/m, (line, from: string) => {
      // Without a bundler, the engine is a file.
      const engine = from.endsWith('.js') ? from.replace('index.js', 'jobs.js') : 'appkit-server/jobs/cloudflare';
      return `${line}import { createCloudflareJobs } from '${engine}';\n`;
    })
    .replace('createRequestHandler({ build })', 'createRequestHandler({ build, jobs: createCloudflareJobs() })');
}

function isShown(schedule: HostedJob['schedule']): schedule is Exclude<HostedJob['schedule'], undefined | 'unknown'> {
  return typeof schedule === 'object';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function toList(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
