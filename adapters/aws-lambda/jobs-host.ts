import { unknownSetting } from '../_deploy/jobs-host.ts';
import type { HostedJob, JobsHost, JobsHostProblem } from '../_deploy/jobs-host.ts';
import { toAwsCron } from './aws-cron.ts';
import {
  LEAST_CONCURRENCY,
  LONGEST_S,
  SCHEDULED_TIME,
  STORING,
  toConcurrency,
  toEvent,
  toResources,
  toTimeout,
  VISIBILITY_FACTOR,
} from './jobs-template.ts';
import { parseTemplate } from './template-yaml.ts';

type Fields = Partial<Record<string, unknown>>;

const TITLE = 'AWS Lambda';
const CONFIG_FILE = 'template.yaml';

/** AWS Lambda, whose template names the queue of the jobs, the function that runs them, and their schedules. */
export const jobsHost: JobsHost = {
  title: TITLE,
  adapter: 'appkit-server/adapter/aws-lambda',
  engine: 'appkit-server/jobs/aws',
  configFile: CONFIG_FILE,
  findProblems(text, jobs) {
    let template: unknown;
    try {
      template = parseTemplate(text);
    } catch (error) {
      const message = `${CONFIG_FILE} cannot be read: ${(error as Error).message}`;
      return [{ message, fix: "Correct it: it has to name what the app's jobs need." }];
    }
    const found = readTemplate(template);
    return found ? [...findImpossible(jobs), ...findMissing(found, jobs)] : [];
  },
  fillTemplate({ path, text }, jobs) {
    if (path === CONFIG_FILE) return fillConfig(text, jobs);
    return path === 'index.mjs' ? fillHandler(text) : text;
  },
};

/** The parts of a template that concern jobs. */
interface Found {
  /** The function that requests call, if this template has it. */
  storing: Fields | undefined;
  running: Fields | undefined;
  /** The function's event with the messages. */
  message: Fields;
  queue: Fields | undefined;
  /** The schedule events by the name of their job. */
  schedules: Map<string, Fields>;
}

/** Finds the functions. Returns `undefined` for a file without any. */
function readTemplate(template: unknown): Found | undefined {
  const { Resources, Globals } = fieldsOf(template);
  const defaults = fieldsOf(fieldsOf(Globals)['Function']);
  const resources = Object.values(fieldsOf(Resources)).map(fieldsOf);
  const functions = resources
    .filter(({ Type }) => Type === 'AWS::Serverless::Function')
    .map(({ Properties }) => ({
      ...defaults,
      ...fieldsOf(Properties),
      Environment: joinVariables(defaults, fieldsOf(Properties)),
    }));
  if (functions.length === 0) return undefined;
  const hasVariable = (found: Fields, name: string): boolean => fieldsOf(found['Environment'])[name] !== undefined;
  const queued = functions.filter((found) => eventsOf(found, 'SQS').length > 0);
  const running = queued.find((found) => hasVariable(found, 'APPKIT_JOBS_DEAD_LETTER_QUEUE_URL')) ?? queued[0];
  const others = functions.filter((found) => found !== running);
  const [message = {}] = running ? eventsOf(running, 'SQS') : [];
  const queueName = String(message['Queue']).replace(/[.,]Arn$/, '');
  // The other functions refuse their events.
  const schedules = running ? eventsOf(running, 'ScheduleV2').flatMap(toNamedSchedule) : [];
  return {
    storing: others.find((found) => hasVariable(found, 'APPKIT_JOBS_QUEUE_URL')) ?? others[0],
    running,
    message,
    queue: fieldsOf(fieldsOf(fieldsOf(Resources)[queueName])['Properties']),
    schedules: new Map(schedules),
  };
}

function joinVariables(defaults: Fields, own: Fields): Fields {
  const variablesOf = ({ Environment }: Fields): Fields => fieldsOf(fieldsOf(Environment)['Variables']);
  return { ...variablesOf(defaults), ...variablesOf(own) };
}

function eventsOf({ Events }: Fields, type: string): Fields[] {
  const events = Object.values(fieldsOf(Events)).map(fieldsOf);
  return events.filter(({ Type }) => Type === type).map(({ Properties }) => fieldsOf(Properties));
}

function toNamedSchedule(event: Fields): [string, Fields][] {
  try {
    const { source, job } = fieldsOf(JSON.parse(String(event['Input'])));
    return source === 'appkit.schedule' ? [[String(job), event]] : [];
  } catch {
    return []; // of something else
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // each is checked where it is read
}

/** What cannot be written in any template. */
function findImpossible(jobs: readonly HostedJob[]): JobsHostProblem[] {
  return jobs.flatMap((job) => {
    const { name, source, timeoutMs, concurrency, schedule } = job;
    const problems: JobsHostProblem[] = [];
    if (typeof timeoutMs === 'number' && toTimeout([job]) > LONGEST_S) {
      const message = `${source}: the job ${name} may take ${timeoutMs} ms, and ${TITLE} ends a function after ${LONGEST_S} seconds.`;
      problems.push({ message, fix: 'Set its timeoutMs to 890000 at most, or split the job.' });
    }
    if (typeof concurrency === 'number' && concurrency < LEAST_CONCURRENCY) {
      const message = `${source}: the job ${name} may run ${concurrency} at the same time, and ${TITLE} limits a queue to ${LEAST_CONCURRENCY} at least.`;
      problems.push({
        message,
        fix: `Set its concurrency to ${LEAST_CONCURRENCY}, and make sure that this many may run at the same time.`,
      });
    }
    if (typeof schedule === 'object' && toAwsCron(schedule.cron) === undefined) {
      problems.push(explainCron(job, schedule.cron));
    }
    return problems;
  });
}

function explainCron({ name, source }: HostedJob, cron: string): JobsHostProblem {
  const [, , day, , weekday] = cron.split(' ');
  const its = `${source}: the schedule ${cron} of the job ${name}`;
  if (day === '*' || weekday === '*') {
    return {
      message: `${its} is not a valid cron.`,
      fix: 'Write numbers, *, ranges from low to high, lists and steps.',
    };
  }
  const message = `${its} restricts the day of the month and the day of the week, and ${TITLE} accepts only one of them.`;
  return { message, fix: 'Write two jobs, one for each.' };
}

function findMissing(found: Found, jobs: readonly HostedJob[]): JobsHostProblem[] {
  const { storing, running } = found;
  const names = jobs.map(({ name }) => name).join(', ');
  const problems: JobsHostProblem[] = [];
  const add = (message: string, fix: string): void =>
    void problems.push({ message: `${CONFIG_FILE}: ${message}`, fix });
  if (storing && fieldsOf(storing['Environment'])['APPKIT_JOBS_QUEUE_URL'] === undefined) {
    add(`the app's function cannot store its jobs (${names}).`, `Add to its Properties:\n\n${STORING}`);
  }
  if (!running) {
    const handlers = 'What index.mjs has to export is in guide/jobs.md, in "On AWS".';
    add(`no function runs the app's jobs (${names}).`, `Add to its Resources:\n\n${toResources(jobs)}\n${handlers}`);
    return problems;
  }
  for (const { is, wanted, why } of [...checkRunning(running, jobs), ...checkQueue(found, jobs)]) {
    if (!is) add(why, wanted);
  }
  return [...problems, ...jobs.flatMap((job) => checkSchedule(found, job)), ...findUnwanted(found, jobs)];
}

interface Check {
  is: boolean;
  why: string;
  wanted: string;
}

function checkRunning(running: Fields, jobs: readonly HostedJob[]): Check[] {
  const { Environment: variables, Timeout = 3, RecursiveLoop, FunctionUrlConfig } = running;
  const least = toTimeout(jobs);
  return [
    {
      is: ['APPKIT_JOBS_QUEUE_URL', 'APPKIT_JOBS_DEAD_LETTER_QUEUE_URL'].every((name) => fieldsOf(variables)[name]),
      why: 'the function that runs the jobs does not know its queues.',
      wanted: 'Set APPKIT_JOBS_QUEUE_URL and APPKIT_JOBS_DEAD_LETTER_QUEUE_URL in its Environment.',
    },
    {
      is: typeof Timeout !== 'number' || Timeout >= Math.min(least, LONGEST_S),
      why: `the function that runs the jobs has ${String(Timeout)} seconds, and a job may take longer.`,
      wanted: `Set its Timeout to ${least}, and the VisibilityTimeout of the queue to ${least * VISIBILITY_FACTOR}.`,
    },
    {
      is: RecursiveLoop === 'Allow',
      why: 'the function that runs the jobs is stopped when a job has been sent again several times.',
      wanted: 'Add to its Properties: RecursiveLoop: Allow',
    },
    {
      is: FunctionUrlConfig === undefined,
      why: 'the function that runs the jobs has a URL.',
      wanted: 'Remove its FunctionUrlConfig, and run the jobs in a function of their own.',
    },
  ];
}

function checkQueue({ running = {}, message, queue }: Found, jobs: readonly HostedJob[]): Check[] {
  const { Timeout = 3 } = running;
  const { FunctionResponseTypes: types, ScalingConfig } = message;
  const checks: Check[] = [
    {
      is: Array.isArray(types) && types.includes('ReportBatchItemFailures'),
      why: 'a job that has failed would never come again.',
      wanted: 'Add to the event of the queue: FunctionResponseTypes: [ReportBatchItemFailures]',
    },
  ];
  const stated = jobs.filter(({ concurrency }) => typeof concurrency === 'number');
  const most = fieldsOf(ScalingConfig)['MaximumConcurrency'];
  if (stated.length > 0) {
    checks.push({
      is: typeof most === 'number' && most <= toConcurrency(stated),
      why: `more of a job could run at the same time than its concurrency allows.`,
      wanted: `Set MaximumConcurrency in the ScalingConfig of the event of the queue to ${toConcurrency(stated)}.`,
    });
  }
  if (!queue || Object.keys(queue).length === 0) return checks; // of another template
  const { VisibilityTimeout = 30, RedrivePolicy } = queue;
  const attempts = Math.max(...jobs.map(({ attempts: said }) => (typeof said === 'number' ? said : 5)));
  const count = fieldsOf(RedrivePolicy)['maxReceiveCount'];
  const least = Number(Timeout) * VISIBILITY_FACTOR;
  checks.push(
    {
      is: !(Number(VisibilityTimeout) < least),
      why: `the VisibilityTimeout of the queue is ${String(VisibilityTimeout)}: a job could begin again while it runs.`,
      wanted: `Set it to ${least}, ${VISIBILITY_FACTOR} times the Timeout of the function.`,
    },
    {
      is: typeof count === 'number' && count > attempts,
      why: 'the queue has no RedrivePolicy, or one that gives up before a job has had its attempts.',
      wanted: 'Set its deadLetterTargetArn to the queue for dead jobs, and its maxReceiveCount to 1000.',
    },
  );
  return checks;
}

function checkSchedule({ schedules }: Found, job: HostedJob): JobsHostProblem[] {
  const { name, source, schedule } = job;
  const event = schedules.get(name);
  if (schedule === 'unknown' && !event) return [unknownSetting(job, { setting: 'schedule', title: TITLE })];
  if (typeof schedule !== 'object') return [];
  const expression = toAwsCron(schedule.cron);
  const { ScheduleExpression, ScheduleExpressionTimezone = 'UTC', Input } = event ?? {};
  const isSame =
    ScheduleExpression === expression && ScheduleExpressionTimezone === schedule.timeZone && hasTime(Input);
  if (isSame || expression === undefined) return [];
  const what = event ? 'has another schedule' : 'has no schedule';
  return [
    {
      message: `${CONFIG_FILE}: it ${what} for the job ${name} (${source}), which runs at ${schedule.cron} ${schedule.timeZone}.`,
      fix: `Put into the Events of the function that runs the jobs:\n\n${toEvent(job)}`,
    },
  ];
}

function hasTime(input: unknown): boolean {
  return String(input).includes(SCHEDULED_TIME);
}

function findUnwanted({ schedules }: Found, jobs: readonly HostedJob[]): JobsHostProblem[] {
  const scheduled = new Set(jobs.filter(({ schedule }) => schedule).map(({ name }) => name));
  return [...schedules.keys()]
    .filter((name) => !scheduled.has(name))
    .map((name) => ({
      message: `${CONFIG_FILE}: it has a schedule for ${name}, and the app has no such job with a schedule.`,
      fix: 'Remove the event.',
    }));
}

function fillConfig(text: string, jobs: readonly HostedJob[]): string {
  const storing = text.replace(/^ {6}Timeout: \d+\n/m, (line) => line + STORING);
  const end = storing.search(/^Outputs:/m);
  const [before, after] = end === -1 ? [storing, ''] : [storing.slice(0, end), storing.slice(end)];
  return `${before.trimEnd()}\n\n${toResources(jobs)}${after === '' ? '' : `\n${after}`}`;
}

const HANDLER =
  /^export const handler = (\w+)\(\{ build: 'dist\/server', files: createStaticFiles\('dist\/client'\) \}\);\n/m;

function fillHandler(text: string): string {
  const imported = "import { createJobHandler, createSqsJobs } from 'appkit-server/jobs/aws';\n";
  return text
    .replace(/^import .* from 'appkit-server\/adapter\/aws-lambda';\n/m, (line) => line + imported)
    .replace(
      HANDLER,
      (_, create: string) => `\
export const handler = ${create}({
  build: 'dist/server',
  files: createStaticFiles('dist/client'),
  jobs: createSqsJobs(),
});

// The queue and the schedules call it, in a function of its own.
export const jobs = createJobHandler({ build: 'dist/server', jobs: createSqsJobs() });
`,
    );
}
