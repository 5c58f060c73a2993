import type { HostedJob } from '../_deploy/jobs-host.ts';
import { toAwsCron } from './aws-cron.ts';

/** The defaults of `timeoutMs` and `concurrency`. */
const TIMEOUT_MS = 60_000;
const CONCURRENCY = 4;
/** The seconds that the function needs in addition to the attempt: to load the job, and to report to SQS. */
const MARGIN_S = 10;
/** Lambda ends a function after this time, in seconds. */
export const LONGEST_S = 900;
/** The minimum for an SQS event source. */
export const LEAST_CONCURRENCY = 2;
/** A queue's visibility time-out should be this many times the time-out of its function. */
export const VISIBILITY_FACTOR = 6;

/** The time-out that the function needs, in seconds. */
export function toTimeout(jobs: readonly HostedJob[]): number {
  const times = jobs.map(({ timeoutMs = TIMEOUT_MS }) => (timeoutMs === 'unknown' ? TIMEOUT_MS : timeoutMs));
  return Math.ceil(Math.max(...times) / 1000) + MARGIN_S;
}

/** How many jobs may run at the same time, so that no job exceeds its concurrency. */
export function toConcurrency(jobs: readonly HostedJob[]): number {
  const limits = jobs.map(({ concurrency = CONCURRENCY }) => (concurrency === 'unknown' ? CONCURRENCY : concurrency));
  return Math.max(LEAST_CONCURRENCY, Math.min(...limits));
}

/** The variable and the permission that the function for requests needs, for its properties. */
export const STORING = `\
      Environment:
        Variables:
          APPKIT_JOBS_QUEUE_URL: !Ref Jobs
      Policies:
        - Version: '2012-10-17'
          Statement:
            - Effect: Allow
              Action: sqs:SendMessage
              Resource: !GetAtt Jobs.Arn
`;

/** The resources that run the jobs. */
export function toResources(jobs: readonly HostedJob[]): string {
  const timeout = Math.min(toTimeout(jobs), LONGEST_S);
  return `\
  # Runs the jobs. It has no URL: only the queue and the schedules call it.
  JobRunner:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: .
      Handler: index.jobs
      Runtime: nodejs24.x
      MemorySize: 1024
      # Longer than the timeoutMs of each job.
      Timeout: ${timeout}
      # A job that waits for more than a quarter of an hour sends itself again, and a job may enqueue jobs.
      RecursiveLoop: Allow
      Environment:
        Variables:
          APPKIT_JOBS_QUEUE_URL: !Ref Jobs
          APPKIT_JOBS_DEAD_LETTER_QUEUE_URL: !Ref DeadJobs
      Policies:
        - Version: '2012-10-17'
          Statement:
            - Effect: Allow
              Action: [sqs:SendMessage, sqs:ChangeMessageVisibility]
              Resource: !GetAtt Jobs.Arn
            - Effect: Allow
              Action: sqs:SendMessage
              Resource: !GetAtt DeadJobs.Arn
      Events:
        Message:
          Type: SQS
          Properties:
            Queue: !GetAtt Jobs.Arn
            # A job that ends its process does not affect others.
            BatchSize: 1
            FunctionResponseTypes: [ReportBatchItemFailures]
            ScalingConfig:
              # How many runs of all jobs together may be in progress at the same time; the minimum is 2.
              MaximumConcurrency: ${toConcurrency(jobs)}
${toEvents(jobs)}
  Jobs:
    Type: AWS::SQS::Queue
    Properties:
      # ${VISIBILITY_FACTOR} times the Timeout of the function: after this time, a job whose process has died runs again.
      VisibilityTimeout: ${timeout * VISIBILITY_FACTOR}
      MessageRetentionPeriod: 1209600
      # The function itself counts the attempts. This is for messages that never reach it.
      RedrivePolicy:
        deadLetterTargetArn: !GetAtt DeadJobs.Arn
        maxReceiveCount: 1000

  DeadJobs:
    Type: AWS::SQS::Queue
    Properties:
      MessageRetentionPeriod: 1209600
`;
}

/** The schedules, for the function's events. A schedule that AWS does not support is left out. */
function toEvents(jobs: readonly HostedJob[]): string {
  const names = new Set<string>();
  return jobs
    .map((job) => {
      const plain = toEventName(job.name);
      // The names of two jobs may differ only in characters that an event name cannot contain.
      let name = plain;
      for (let count = 2; names.has(name); count += 1) name = `${plain}${count}`;
      names.add(name);
      return toEvent(job, name);
    })
    .join('');
}

function toEventName(job: string): string {
  const words = job.split(/[^a-z\d]+/i).filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') + 'Schedule';
}

/** The event of a job, empty for a job without a schedule that AWS supports. */
export function toEvent({ name: job, schedule }: HostedJob, name: string = toEventName(job)): string {
  const expression = typeof schedule === 'object' ? toAwsCron(schedule.cron) : undefined;
  if (typeof schedule !== 'object' || expression === undefined) return '';
  // For how long a missed run may be made up, in seconds.
  const age = schedule.missed === 'once' ? 86_400 : 60;
  return `\
        ${name}:
          Type: ScheduleV2
          Properties:
            ScheduleExpression: ${expression}
            ScheduleExpressionTimezone: ${schedule.timeZone}
            Input: '${toInput(job)}'
            RetryPolicy:
              MaximumEventAgeInSeconds: ${age}
              MaximumRetryAttempts: 185
`;
}

/** EventBridge Scheduler replaces this with the time. */
export const SCHEDULED_TIME = '<aws.scheduler.scheduled-time>';

/** What the function is called with. */
function toInput(job: string): string {
  const input = { source: 'appkit.schedule', job, scheduledAt: SCHEDULED_TIME };
  return JSON.stringify(input).replaceAll("'", "''");
}
