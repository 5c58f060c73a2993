import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedJob } from '../_deploy/jobs-host.ts';
import { jobsHost } from './jobs-host.ts';
import { parseJsonc } from './jsonc.ts';

const { findProblems, fillTemplate, commands } = jobsHost;

const MAIL: HostedJob = { name: 'mail', file: 'mail+job.js', source: 'app/mail+job.ts' };

function scheduled(cron: string, rest: { timeZone?: string; missed?: 'once' } = {}): HostedJob {
  const schedule = { cron, timeZone: 'UTC', missed: 'skip' as const, ...rest };
  return { name: 'report', file: 'report+job.js', source: 'app/report+job.ts', schedule };
}

function template(file: string, folder = 'template'): string {
  return readFileSync(path.join(import.meta.dirname, folder, file), 'utf8');
}

/** The configuration that `appkit init` writes for jobs. */
function filled(jobs: readonly HostedJob[]): string {
  return fillTemplate({ path: 'wrangler.jsonc', text: template('wrangler.jsonc') }, jobs);
}

function explain(text: string, jobs: readonly HostedJob[]): string[] {
  return findProblems(text, jobs, []).map(({ message, fix }) => `${message}\n${fix}`);
}

describe('the template', () => {
  it('is filled in with what the jobs need', () => {
    const jobs = [MAIL, scheduled('0 8 * * 1'), { ...scheduled('*/5 * * * *'), name: 'poll', concurrency: 2 }];
    const text = filled(jobs);
    expect(text).toContain(template('wrangler.jsonc').slice(0, -4));
    expect(parseJsonc(text)).toMatchObject({
      name: 'my-app',
      queues: {
        producers: [
          { binding: 'JOBS', queue: 'my-app-jobs' },
          { binding: 'DEAD_JOBS', queue: 'my-app-dead-jobs' },
        ],
        consumers: [
          {
            queue: 'my-app-jobs',
            dead_letter_queue: 'my-app-dead-jobs',
            max_retries: 100,
            max_batch_size: 1,
            max_concurrency: 2,
          },
        ],
      },
      triggers: { crons: ['0 8 * * MON', '*/5 * * * *'] },
    });
    expect(findProblems(text, jobs, [])).toEqual([]);
    expect(commands?.(text)).toEqual([
      'npx wrangler queues create my-app-jobs',
      'npx wrangler queues create my-app-dead-jobs',
    ]);
  });

  it('is filled in for Workers of both kinds', () => {
    const fill = (folder: string): string =>
      fillTemplate({ path: 'worker.mjs', text: template('worker.mjs', folder) }, [MAIL]);
    expect(fill('template')).toContain("import { createCloudflareJobs } from 'appkit-server/jobs/cloudflare';\n");
    expect(fill('template-unbundled')).toContain("from './appkit-server/adapters/cloudflare/jobs.js';\n");
    for (const folder of ['template', 'template-unbundled']) {
      expect(fill(folder)).toContain('createRequestHandler({ build, jobs: createCloudflareJobs() })');
    }
  });
});

describe('a configuration', () => {
  it('without queues is reported with the lines to add, which then pass', () => {
    const [queues = '', crons = '', ...others] = explain(template('wrangler.jsonc'), [scheduled('0 8 * * 1-5')]);
    expect(others).toEqual([]);
    expect(queues).toMatch(/^wrangler\.jsonc: the app's jobs need a producer with the binding JOBS, a producer/);
    expect(queues).toContain('Write into it, next to your own queues:\n\n  "queues": {');
    expect(crons).toBe(
      'wrangler.jsonc: the crons do not contain the schedule of report (app/report+job.ts).\n' +
        'Write into it, next to your own crons:\n\n  "triggers": { "crons": ["0 8 * * MON,TUE,WED,THU,FRI"] },',
    );
    const lines = [queues, crons].map((text) => text.slice(text.indexOf('\n\n')));
    const added = template('wrangler.jsonc').replace(/\}\s*$/, `${lines.join('\n')}\n}`);
    expect(explain(added, [scheduled('0 8 * * 1-5')])).toEqual([]);
  });

  it('may be written differently, with crons and queues of its own', () => {
    const text = filled([scheduled('0 8 * * 1-5')])
      .replace('MON,TUE,WED,THU,FRI"', 'MON-FRI", "0 0 1 * *"')
      .replace('"consumers": [', '"consumers": [ { "queue": "other" },')
      .replaceAll('my-app-jobs', 'shop');
    expect(explain(text, [scheduled('0 8 * * 1-5')])).toEqual([]);
  });

  it('is reported with what differs', () => {
    const text = filled([MAIL]);
    const differing = (from: string, to: string): string[] =>
      findProblems(text.replace(from, to), [MAIL], []).map(({ message }) => message);
    expect(differing('"max_retries": 100', '"max_retries": 3')).toEqual([
      'wrangler.jsonc: the app\'s jobs need "max_retries": 100 of its consumer.',
    ]);
    expect(differing('"dead_letter_queue": "my-app-dead-jobs"', '"dead_letter_queue": "x"')).toEqual([
      'wrangler.jsonc: the app\'s jobs need "dead_letter_queue": "my-app-dead-jobs" of its consumer.',
    ]);
    const most = 'max_batch_size times max_concurrency of at most 4, the smallest concurrency of a job.';
    for (const [from, to] of [
      ['"max_batch_size": 1', '"max_batch_size": 2'],
      ['"max_concurrency": 4', '"max_concurrency": 5'],
      ['"max_concurrency": 4,', ''],
    ] as const) {
      expect(differing(from, to)[0], to).toContain(most);
    }
    expect(differing('"queue": "my-app-dead-jobs"', '"queue": "my-app-jobs"')[0]).toContain(
      'different queues for JOBS and DEAD_JOBS',
    );
  });

  it('is compared for each named environment, which does not inherit queues', () => {
    const text = filled([scheduled('0 8 * * *')]).replace(/\}\s*$/, '"env": { "staging": {} } }');
    const problems = findProblems(text, [scheduled('0 8 * * *')], []);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^wrangler\.jsonc, env\.staging: the app's jobs need a producer/),
    ]);
  });

  it('must be JSON with comments', () => {
    expect(explain('{', [MAIL])).toEqual(['wrangler.jsonc is not an object of JSON with comments.\nCorrect it first.']);
    const text = '{ /* a */ "name": "a//b, }", // c\n "list": [1, 2,\n], }';
    expect(parseJsonc(text)).toEqual({ name: 'a//b, }', list: [1, 2] });
  });
});

describe('a job that Cloudflare cannot run as declared', () => {
  it('is refused, with its name, its file and the host', () => {
    for (const [job, expected] of [
      [scheduled('0 8 * * 1', { timeZone: 'Europe/Berlin' }), /the job report .*Europe\/Berlin.*Cloudflare are in UTC/],
      [scheduled('0 8 * * 1', { missed: 'once' }), /the job report .*missed: 'once'.*Cloudflare/],
      [scheduled('5-1 * * * *'), /the job report has the cron 5-1 \* \* \* \*, which Cloudflare does not support/],
      [{ ...MAIL, timeoutMs: 900_001 }, /app\/mail\+job\.ts: the job mail has a timeoutMs of 900001, .*15 minutes/],
      [{ ...MAIL, schedule: 'unknown' }, /the source of the job mail does not show its schedule.*Cloudflare/],
      [{ ...MAIL, timeoutMs: 'unknown' }, /does not show its timeoutMs/],
      [{ ...MAIL, concurrency: 'unknown' }, /does not show its concurrency/],
    ] as const) {
      const [first, ...others] = findProblems(filled([MAIL]), [job], []);
      expect(others).toEqual([]);
      expect(first?.message).toMatch(expected);
    }
  });
});
