import { unknownSetting } from '../_deploy/jobs-host.ts';
import type { HostedJob, JobsHost, JobsHostProblem } from '../_deploy/jobs-host.ts';
import { TOPIC } from './job-queue.ts';
import {
  LONGEST_S,
  RUNNING_FILE,
  SCHEDULES_FILE,
  SCHEDULES_PATH,
  SCHEDULING,
  toConcurrency,
  toCron,
  toCrons,
  toDuration,
  toRunning,
  toSource,
} from './jobs-config.ts';
import { toVercelCron } from './vercel-cron.ts';

type Fields = Partial<Record<string, unknown>>;

const TITLE = 'Vercel';
const CONFIG_FILE = 'vercel.json';
/** The file that the crons call, under any extension: Vercel leaves it out of the path. */
const SCHEDULES_NAME = /^api\/schedules\.\w+$/;
/** The time of a function without a `maxDuration`, in seconds. */
const DEFAULT_DURATION_S = 300;

/** Vercel, whose `vercel.json` names the trigger of the function that runs the jobs, and their crons. */
export const jobsHost: JobsHost = {
  title: TITLE,
  adapter: 'appkit-server/adapter/vercel',
  engine: 'appkit-server/jobs/vercel',
  configFile: CONFIG_FILE,
  findProblems(text, jobs) {
    const refused = jobs.flatMap(refuse);
    if (refused.length > 0) return refused;
    const config = parse(text);
    if (!config) return [{ message: `${CONFIG_FILE} is not an object of JSON.`, fix: 'Correct it first.' }];
    if (config['builds'] !== undefined) {
      return [
        {
          message: `${CONFIG_FILE}: it has builds, which cannot have the trigger that the app's jobs need.`,
          fix: 'Remove it, and let `appkit init --host vercel` write another one, with functions.',
        },
      ];
    }
    return [...compareRunning(config, jobs), ...compareCrons(config, jobs)];
  },
  fillTemplate({ path, text }, jobs) {
    if (path === CONFIG_FILE) return fillConfig(text, jobs);
    return path === 'api/index.mjs' ? fillHandler(text) : text;
  },
  addedFiles(text, jobs) {
    if (parse(text)?.['functions'] === undefined) return [];
    const running = { path: RUNNING_FILE, text: toSource('running') };
    return toCrons(jobs).length === 0 ? [running] : [running, { path: SCHEDULES_FILE, text: toSource('scheduling') }];
  },
  commands: (text) =>
    parse(text)?.['functions'] === undefined
      ? []
      : [
          'npm install @vercel/queue@0.6',
          ...(parse(text)?.['crons'] === undefined ? [] : ['npx vercel env add CRON_SECRET production # at random']),
        ],
};

/** What Vercel cannot do for a job, whatever the configuration says. */
function refuse(job: HostedJob): JobsHostProblem[] {
  const { name, source, schedule, timeoutMs, concurrency } = job;
  const problems: JobsHostProblem[] = [];
  for (const [setting, value] of Object.entries({ schedule, timeoutMs, concurrency })) {
    if (value === 'unknown') problems.push(unknownSetting(job, { setting, title: TITLE }));
  }
  const refused = (why: string, fix: string): unknown =>
    problems.push({ message: `${source}: the job ${name} ${why}`, fix });
  if (typeof timeoutMs === 'number' && toDuration([job]) > LONGEST_S) {
    refused(
      `may take ${timeoutMs} ms, and Vercel ends a function after ${LONGEST_S} seconds.`,
      'Set its timeoutMs to 790000 at most, or split the job.',
    );
  }
  if (typeof schedule !== 'object') return problems;
  const { cron, timeZone, missed } = schedule;
  if (timeZone !== 'UTC') {
    refused(
      `has a schedule in the time zone ${timeZone}, and the cron jobs of Vercel are in UTC.`,
      'Write the cron in UTC, and leave timeZone out.',
    );
  }
  if (missed === 'once') {
    refused("has a schedule with missed: 'once', and Vercel does not make up for missed times.", 'Leave missed out.');
  }
  if (toVercelCron(cron) === undefined) {
    refused(
      `has the cron ${cron}, which restricts the day of the month and the day of the week, and Vercel accepts only one of them.`,
      'Write two jobs, one for each.',
    );
  }
  return problems;
}

function compareRunning({ functions }: Fields, jobs: readonly HostedJob[]): JobsHostProblem[] {
  const [file, found] =
    Object.entries(fieldsOf(functions))
      .map(([name, value]) => [name, fieldsOf(value)] as const)
      .find(([, value]) => triggerOf(value)) ?? [];
  // Another name would be another consumer group, which does not get the messages that wait for this one.
  const wanted = show({ functions: { [file ?? RUNNING_FILE]: toRunning(jobs) } });
  if (!found) {
    const names = jobs.map(({ name }) => name).join(', ');
    const source = `The file ${RUNNING_FILE}:\n\n${toSource('running')}`;
    const message = `${CONFIG_FILE}: no function runs the app's jobs (${names}).`;
    return [{ message, fix: `Write into it:\n\n${wanted}\n\n${source}` }];
  }
  const { maxConcurrency, maxDeliveries } = triggerOf(found) ?? {};
  const { maxDuration = DEFAULT_DURATION_S } = found;
  const lacking = [
    ...(Number(maxDuration) >= toDuration(jobs) ? [] : [`a maxDuration of at least ${toDuration(jobs)}`]),
    ...(Number(maxConcurrency) <= toConcurrency(jobs)
      ? []
      : [`a maxConcurrency of at most ${toConcurrency(jobs)} in its trigger, the smallest concurrency of a job`]),
    ...(maxDeliveries === undefined ? [] : ['no maxDeliveries in its trigger, which would lose jobs']),
  ];
  if (lacking.length === 0) return [];
  const message = `${CONFIG_FILE}: the function that runs the app's jobs needs ${lacking.join(', ')}.`;
  return [{ message, fix: `Write into it:\n\n${wanted}` }];
}

/** The trigger that calls a function with jobs. */
function triggerOf({ experimentalTriggers: triggers }: Fields): Fields | undefined {
  const all = Array.isArray(triggers) ? triggers.map(fieldsOf) : [];
  return all.find(({ type, topic }) => type === 'queue/v2beta' && topic === TOPIC);
}

function compareCrons({ crons, functions }: Fields, jobs: readonly HostedJob[]): JobsHostProblem[] {
  const all = Array.isArray(crons) ? crons.map(fieldsOf) : [];
  const ours = new Map(
    all.flatMap(({ path, schedule }): [string, unknown][] => {
      const { pathname, searchParams } = new URL(String(path), 'http://host');
      return pathname === SCHEDULES_PATH ? [[searchParams.get('job') ?? '', schedule]] : [];
    }),
  );
  const isThere = ours.size > 0 || Object.keys(fieldsOf(functions)).some((name) => SCHEDULES_NAME.test(name));
  const source = isThere ? '' : `\n\nThe file ${SCHEDULES_FILE}:\n\n${toSource('scheduling')}`;
  const differing = jobs.flatMap((job): JobsHostProblem[] => {
    const cron = toCron(job);
    if (!cron || ours.get(job.name) === cron.schedule) return [];
    const what = ours.has(job.name) ? 'have another schedule' : 'do not contain the schedule';
    const message = `${CONFIG_FILE}: the crons ${what} for the job ${job.name} (${job.source}).`;
    return [{ message, fix: `Write into it:\n\n${show({ crons: toCrons(jobs) })}${source}` }];
  });
  const scheduled = new Set(jobs.filter(({ schedule }) => schedule).map(({ name }) => name));
  const unwanted = [...ours.keys()]
    .filter((name) => !scheduled.has(name))
    .map((name) => ({
      message: `${CONFIG_FILE}: it has a cron for ${name}, and the app has no such job with a schedule.`,
      fix: 'Remove the cron.',
    }));
  return [...differing, ...unwanted];
}

function fillConfig(text: string, jobs: readonly HostedJob[]): string {
  const config = parse(text);
  if (config?.['functions'] === undefined) return text;
  const crons = toCrons(jobs);
  const functions = {
    ...fieldsOf(config['functions']),
    [RUNNING_FILE]: toRunning(jobs),
    ...(crons.length === 0 ? {} : { [SCHEDULES_FILE]: SCHEDULING }),
  };
  return `${show({ ...config, functions, ...(crons.length === 0 ? {} : { crons }) })}\n`;
}

const IMPORT = /^import .* from 'appkit-server\/adapter\/vercel';\n/m;

function fillHandler(text: string): string {
  // The template with builds loads the adapter with require(): no trigger is possible there.
  if (!IMPORT.test(text)) return text;
  return text
    .replace(IMPORT, (line) => `${line}import { createVercelJobs } from 'appkit-server/jobs/vercel';\n`)
    .replace(/createRequestHandler\(\{ (build: .+) \}\)/, 'createRequestHandler({ $1, jobs: createVercelJobs() })');
}

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function show(value: object): string {
  return JSON.stringify(value, null, 2);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // each is checked where it is read
}
