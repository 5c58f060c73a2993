import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedJob } from '../_deploy/jobs-host.ts';
import { jobsHost } from './jobs-host.ts';

const { addedFiles, commands, fillTemplate, findProblems } = jobsHost;

const MAIL: HostedJob = { name: 'mail', file: 'mail+job.js', source: 'app/mail+job.ts' };

function scheduled(cron: string, rest: { timeZone?: string; missed?: 'once' } = {}): HostedJob {
  const schedule = { cron, timeZone: 'UTC', missed: 'skip' as const, ...rest };
  return { name: 'shop/report', file: 'report+job.js', source: 'app/report+job.ts', schedule };
}

function template(file: string, folder = 'template'): string {
  return readFileSync(path.join(import.meta.dirname, folder, file), 'utf8');
}

/** The configuration that `appkit init` writes for jobs. */
function filled(jobs: readonly HostedJob[]): string {
  return fillTemplate({ path: 'vercel.json', text: template('vercel.json') }, jobs);
}

function messages(text: string, jobs: readonly HostedJob[]): string[] {
  return findProblems(text, jobs, []).map(({ message }) => message);
}

describe('the template', () => {
  it('is filled in with what the jobs need, and then passes', () => {
    const jobs = [MAIL, { ...scheduled('0 8 * * mon'), concurrency: 2, timeoutMs: 120_500 }];
    const text = filled(jobs);
    expect(JSON.parse(text)).toMatchObject({
      rewrites: [{ source: '/(.*)', destination: '/api/index' }],
      functions: {
        'api/index.mjs': { includeFiles: 'dist/server/**' },
        'api/jobs.mjs': {
          includeFiles: 'dist/server/**',
          maxDuration: 131,
          experimentalTriggers: [
            { type: 'queue/v2beta', topic: 'appkit-jobs', retryAfterSeconds: 60, maxConcurrency: 2 },
          ],
        },
        'api/schedules.mjs': { includeFiles: 'dist/server/**' },
      },
      crons: [{ path: '/api/schedules?job=shop%2Freport', schedule: '0 8 * * 1' }],
    });
    expect(findProblems(text, jobs, [])).toEqual([]);
    expect(addedFiles?.(text, jobs).map((file) => file.path)).toEqual(['api/jobs.mjs', 'api/schedules.mjs']);
    expect(commands?.(text)).toEqual([
      'npm install @vercel/queue@0.6',
      'npx vercel env add CRON_SECRET production # at random',
    ]);
  });

  it('has neither crons nor their function without schedules', () => {
    const text = filled([MAIL]);
    expect(text).not.toMatch(/schedules|crons/);
    expect(addedFiles?.(text, [MAIL])).toEqual([
      { path: 'api/jobs.mjs', text: expect.stringContaining('export const POST = createJobHandler({ build') },
    ]);
    expect(commands?.(text)).toEqual(['npm install @vercel/queue@0.6']);
  });

  it('gives the engine to the function that answers requests', () => {
    const text = fillTemplate({ path: 'api/index.mjs', text: template('api/index.mjs') }, [MAIL]);
    expect(text).toContain("import { createVercelJobs } from 'appkit-server/jobs/vercel';\n");
    expect(text).toContain(
      "createRequestHandler({ build: new URL('../dist/server', import.meta.url), jobs: createVercelJobs() })",
    );
  });

  it('with builds stays unchanged', () => {
    for (const file of ['vercel.json', 'api/index.cjs']) {
      const text = template(file, 'template-legacy');
      expect(fillTemplate({ path: file, text }, [MAIL])).toBe(text);
    }
    expect(addedFiles?.(template('vercel.json', 'template-legacy'), [MAIL])).toEqual([]);
  });
});

describe('a configuration', () => {
  it('without a function for jobs is reported with the lines to add', () => {
    const [first, second, ...others] = findProblems(template('vercel.json'), [scheduled('0 8 * * *')], []);
    expect(others).toEqual([]);
    expect(first?.message).toBe("vercel.json: no function runs the app's jobs (shop/report).");
    expect(first?.fix).toContain('"topic": "appkit-jobs"');
    expect(first?.fix).toContain('export const POST = createJobHandler(');
    expect(second?.message).toBe(
      'vercel.json: the crons do not contain the schedule for the job shop/report (app/report+job.ts).',
    );
    expect(second?.fix).toContain('"/api/schedules?job=shop%2Freport"');
  });

  it('may have the function in another file, and crons of its own', () => {
    const jobs = [scheduled('0 8 * * *')];
    const text = filled(jobs)
      .replace('api/jobs.mjs', 'api/jobs.ts')
      .replace('"crons": [', '"crons": [{ "path": "/api/own", "schedule": "0 0 * * *" },');
    expect(messages(text, jobs)).toEqual([]);
  });

  it('keeps the names of the functions that it has: a new name would lose the messages that wait for the old one', () => {
    const jobs = [scheduled('0 8 * * *')];
    const text = filled(jobs).replaceAll('.mjs', '.js');
    expect(messages(text, jobs)).toEqual([]);
    const fixes = findProblems(text, [{ ...scheduled('0 9 * * *'), timeoutMs: 120_000 }, MAIL], []).map(
      ({ fix }) => fix,
    );
    expect(fixes).toEqual([expect.stringContaining('"api/jobs.js": {'), expect.stringContaining('"0 9 * * *"')]);
    expect(fixes.join('\n')).not.toMatch(/\.mjs|The file/);
    const [first] = findProblems(filled([MAIL]), jobs, []);
    expect(first?.fix).toContain('The file api/schedules.mjs:');
  });

  it('is reported with what differs', () => {
    const text = filled([MAIL]);
    expect(messages(text.replace('"maxConcurrency": 4', '"maxConcurrency": 5'), [MAIL])).toEqual([
      "vercel.json: the function that runs the app's jobs needs a maxConcurrency of at most 4 in its trigger, the smallest concurrency of a job.",
    ]);
    expect(messages(text.replace('"maxConcurrency"', '"other"'), [MAIL])[0]).toContain('a maxConcurrency');
    expect(messages(text.replace('"maxConcurrency"', '"maxDeliveries": 3, "maxConcurrency"'), [MAIL])[0]).toContain(
      'no maxDeliveries',
    );
    expect(messages(text, [{ ...MAIL, timeoutMs: 61_000 }])[0]).toContain('a maxDuration of at least 71');
    const changed = filled([scheduled('0 8 * * *')]);
    expect(messages(changed, [scheduled('0 9 * * *')])[0]).toContain('the crons have another schedule');
    expect(messages(changed, [MAIL])).toEqual([
      'vercel.json: it has a cron for shop/report, and the app has no such job with a schedule.',
    ]);
  });

  it('must be JSON with functions', () => {
    expect(messages('{', [MAIL])).toEqual(['vercel.json is not an object of JSON.']);
    expect(messages(template('vercel.json', 'template-legacy'), [MAIL])[0]).toContain('it has builds');
  });
});

describe('a job that Vercel cannot run as declared', () => {
  it('is refused, with its name, its file and the host', () => {
    for (const [job, expected] of [
      [
        scheduled('0 8 * * 1', { timeZone: 'Europe/Berlin' }),
        /app\/report\+job\.ts: the job shop\/report .*Europe\/Berlin.*Vercel/,
      ],
      [scheduled('0 8 * * 1', { missed: 'once' }), /the job shop\/report .*missed: 'once'.*Vercel/],
      [scheduled('0 8 1 * 1'), /the job shop\/report has the cron 0 8 1 \* 1, .*Vercel accepts only one of them/],
      [{ ...MAIL, timeoutMs: 790_001 }, /the job mail may take 790001 ms, and Vercel ends a function after 800/],
      [{ ...MAIL, schedule: 'unknown' }, /the source of the job mail does not show its schedule.*Vercel/],
      [{ ...MAIL, concurrency: 'unknown' }, /does not show its concurrency/],
    ] as const) {
      const [first, ...others] = findProblems(filled([MAIL]), [job], []);
      expect(others).toEqual([]);
      expect(first?.message).toMatch(expected);
    }
  });
});
