import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedJob } from '../_deploy/jobs-host.ts';
import { jobsHost } from './jobs-host.ts';
import { parseTemplate } from './template-yaml.ts';

const MAIL: HostedJob = { name: 'mail', file: 'mail+job.js', source: 'app/mail+job.ts' };
const REPORT: HostedJob = {
  name: 'team/report',
  file: 'team/report+job.js',
  source: 'app/team/report+job.ts',
  schedule: { cron: '0 8 * * 1', timeZone: 'Europe/Berlin', missed: 'skip' },
};
const JOBS = [MAIL, REPORT];
const TEMPLATES = ['template', 'template-buffered', 'template-load-balancer', 'template-rest'];

function read(template: string, file: string): string {
  return readFileSync(path.join(import.meta.dirname, template, file), 'utf8');
}

function filled(jobs: readonly HostedJob[] = JOBS, template = 'template', file = 'template.yaml'): string {
  return jobsHost.fillTemplate({ path: file, text: read(template, file) }, jobs);
}

function problems(text: string, jobs: readonly HostedJob[] = JOBS): string[] {
  return jobsHost.findProblems(text, jobs, []).map(({ message, fix }) => `${message}\n${fix}`);
}

interface Template {
  Resources: Record<string, { Properties: Record<string, unknown> }>;
  Outputs?: object;
}

describe('a template', () => {
  for (const template of TEMPLATES) {
    it(`of ${template} has what jobs need, and keeps what it had`, () => {
      const text = filled(JOBS, template);
      expect(problems(text)).toEqual([]);
      const before = parseTemplate(read(template, 'template.yaml')) as Template;
      const after = parseTemplate(text) as Template;
      const { JobRunner, Jobs, DeadJobs, Server, ...others } = after.Resources;
      expect([JobRunner, Jobs, DeadJobs]).not.toContain(undefined);
      const { Environment, Policies, ...rest } = Server?.Properties ?? {};
      expect([Environment, Policies]).toMatchObject([
        { Variables: { APPKIT_JOBS_QUEUE_URL: 'Jobs' } },
        [{ Statement: [{ Action: 'sqs:SendMessage', Resource: 'Jobs.Arn' }] }],
      ]);
      const { Server: old, ...oldOthers } = before.Resources;
      expect([rest, others, after.Outputs]).toEqual([old?.Properties, oldOthers, before.Outputs]);
    });

    it(`of ${template} has handlers with jobs`, () => {
      const text = filled(JOBS, template, 'index.mjs');
      expect(text.match(/createSqsJobs\(\)/g)).toHaveLength(2);
      expect(text).toMatch(/^export const jobs = createJobHandler\(/m);
      expect(text).toContain("import { createJobHandler, createSqsJobs } from 'appkit-server/jobs/aws';");
    });
  }

  it('has as much time and concurrency as the jobs declare', () => {
    const long: HostedJob = { ...MAIL, timeoutMs: 300_000, concurrency: 3 };
    const { Resources } = parseTemplate(filled([long, REPORT])) as Template;
    expect(Resources['JobRunner']?.Properties).toMatchObject({
      Timeout: 310,
      Events: { Message: { Properties: { ScalingConfig: { MaximumConcurrency: 3 } } } },
    });
    expect(Resources['Jobs']?.Properties['VisibilityTimeout']).toBe(1860);
  });

  it('has one schedule per scheduled job, each with its own name', () => {
    const other: HostedJob = { ...REPORT, name: 'team-report' };
    const { Resources } = parseTemplate(filled([REPORT, other])) as Template;
    const { Events } = Resources['JobRunner']?.Properties ?? {};
    expect(Events).toMatchObject({
      TeamReportSchedule: {
        Type: 'ScheduleV2',
        Properties: {
          ScheduleExpression: 'cron(0 8 ? * MON *)',
          ScheduleExpressionTimezone: 'Europe/Berlin',
          Input: '{"source":"appkit.schedule","job":"team/report","scheduledAt":"<aws.scheduler.scheduled-time>"}',
          RetryPolicy: { MaximumEventAgeInSeconds: 60 },
        },
      },
      TeamReportSchedule2: {},
    });
  });
});

describe('a template that the app has changed', () => {
  const changes: [name: string, from: RegExp, to: string, problem: RegExp][] = [
    ['is no YAML', /^Resources:/m, 'Resources: [', /^template\.yaml cannot be read: /],
    [
      'stores no jobs',
      /APPKIT_JOBS_QUEUE_URL/,
      'OTHER',
      /cannot store its jobs \(mail, team\/report\)[^]*APPKIT_JOBS_QUEUE_URL: !Ref Jobs/,
    ],
    ['runs no jobs', /Type: SQS/, 'Type: SNS', /no function runs the app's jobs[^]*JobRunner:[^]*DeadJobs:/],
    ['knows no dead-letter queue', /APPKIT_JOBS_DEAD_LETTER_QUEUE_URL/, 'OTHER', /does not know its queues/],
    ['has too little time', /Timeout: 70/, 'Timeout: 60', /has 60 seconds[^]*Set its Timeout to 70/],
    ['stops loops', /RecursiveLoop: Allow/, '# none', /is stopped when a job has been sent again/],
    ['has a URL', /RecursiveLoop: Allow/, 'RecursiveLoop: Allow\n      FunctionUrlConfig: {}', /has a URL/],
    ['reports no failures', /FunctionResponseTypes: .*/, '# none', /would never come again/],
    ['shows messages too soon', /VisibilityTimeout: 420/, 'VisibilityTimeout: 419', /is 419:[^]*Set it to 420/],
    ['gives up too soon', /maxReceiveCount: 1000/, 'maxReceiveCount: 5', /gives up before a job has had its attempts/],
    [
      'has another time',
      /cron\(0 8/,
      'cron(0 9',
      /has another schedule for the job team\/report[^]*cron\(0 8 \? \* MON \*\)/,
    ],
    ['has another zone', /Timezone: Europe\/Berlin/, 'Timezone: UTC', /has another schedule/],
    ['lacks a schedule', /appkit\.schedule/, 'other', /has no schedule for the job team\/report \(app\/team/],
  ];
  for (const [name, from, to, problem] of changes) {
    it(`and that ${name} is reported with what to write`, () => {
      expect(filled()).toMatch(from);
      const found = problems(filled().replace(from, to));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(problem);
    });
  }

  it('and that has a schedule of a removed job is told to remove the schedule', () => {
    expect(problems(filled(), [MAIL])).toEqual([expect.stringMatching(/has a schedule for team\/report, and the app/)]);
  });

  it('and that sets shared properties in Globals is read with them', () => {
    const globals =
      'Globals:\n  Function:\n    Timeout: 70\n    Environment:\n      Variables:\n        APPKIT_JOBS_QUEUE_URL: !Ref Jobs\n';
    const text = filled()
      .replace('      Timeout: 70\n', '')
      .replaceAll('          APPKIT_JOBS_QUEUE_URL: !Ref Jobs\n', '          OTHER: one\n')
      .replace('Resources:', `${globals}\nResources:`);
    expect(problems(text)).toEqual([]);
  });

  it('has its schedules in the function that runs the jobs, with their time', () => {
    const text = filled();
    const [event = ''] = / {8}TeamReportSchedule:[^]*?MaximumRetryAttempts: 185\n/.exec(text) ?? [];
    expect(event).not.toBe('');
    const moved = text.replace(event, '').replace('      Timeout: 30\n', (line) => `${line}      Events:\n${event}`);
    expect(problems(moved)).toEqual([
      expect.stringMatching(
        /it has no schedule for the job team\/report .*\nPut into the Events of the function that runs/,
      ),
    ]);
    const timeless = text.replace(',"scheduledAt":"<aws.scheduler.scheduled-time>"', '');
    expect(problems(timeless)).toEqual([expect.stringContaining('it has another schedule for the job team/report')]);
  });

  it('and that has no function is not recognised', () => {
    expect(problems('Resources:\n  Bucket:\n    Type: AWS::S3::Bucket\n')).toEqual([]);
    expect(problems('a text')).toEqual([]);
  });
});

describe('a job that AWS cannot run as declared', () => {
  const impossible: [name: string, job: Partial<HostedJob>, problem: RegExp][] = [
    ['for longer than a function lasts', { timeoutMs: 900_000 }, /may take 900000 ms, and AWS Lambda ends a function/],
    ['one at a time', { concurrency: 1 }, /limits a queue to 2 at least/],
    [
      'on both days',
      { schedule: { cron: '0 0 13 * 5', timeZone: 'UTC', missed: 'skip' } },
      /0 0 13 \* 5 .* restricts the day of the month and the day of the week/,
    ],
    [
      'at a time that is none',
      { schedule: { cron: '0 22-2 * * *', timeZone: 'UTC', missed: 'skip' } },
      /the schedule 0 22-2 .* of the job mail is not a valid cron\.\nWrite numbers, \*, ranges from low to high/,
    ],
    ['at a time that its source does not show', { schedule: 'unknown' }, /does not show its schedule/],
  ];
  for (const [name, parts, problem] of impossible) {
    it(`is reported: ${name}`, () => {
      const job = { ...MAIL, ...parts };
      const found = problems(filled([job]), [job]);
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(problem);
      expect(found[0]).toContain('app/mail+job.ts');
    });
  }

  it('is reported when more of it could run at the same time than it allows', () => {
    const job = { ...MAIL, concurrency: 3 };
    expect(problems(filled([MAIL]), [job])).toEqual([expect.stringMatching(/Set MaximumConcurrency .* to 3/)]);
  });
});
