import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostedJob } from '../_deploy/jobs-host.ts';
import { jobsHost } from './jobs-host.ts';

const MAIL: HostedJob = { name: 'mail', file: 'mail+job.js', source: 'app/mail+job.ts' };
const REPORT: HostedJob = {
  name: 'report',
  file: 'report+job.js',
  source: 'app/report+job.ts',
  schedule: { cron: '0 8 * * 1', timeZone: 'Europe/Berlin', missed: 'once' },
};
const FUNCTION = 'netlify/functions/server.mjs';
const EDGE = 'netlify/edge-functions/server.mjs';

function read(file: string): string {
  return readFileSync(path.join(import.meta.dirname, file), 'utf8');
}

/** The problems found in an app with these files. */
function problems(files: Record<string, string>, config = read('template/netlify.toml')): string[] {
  const modules = Object.entries(files).map(([file, code]) => ({ file, code }));
  return jobsHost.findProblems(config, [MAIL, REPORT], modules).map(({ message, fix }) => `${message}\n${fix}`);
}

function filled(): string {
  return jobsHost.fillTemplate({ path: FUNCTION, text: read(`template/${FUNCTION}`) }, [MAIL]);
}

describe('a function', () => {
  it('of the template has what jobs need, and what it had', () => {
    expect(filled()).toContain("import { createPostgresJobs } from 'appkit-server/jobs/postgres';\n");
    expect(filled()).toContain('  jobs: createPostgresJobs({ work: false, maxConnections: 4 }),\n});\n');
    expect(filled()).toContain("export const config = { path: '/*', preferStatic: true };");
    expect(problems({ [FUNCTION]: filled() })).toEqual([]);
  });

  it('without the option fails, and names the jobs and what to add', () => {
    const [problem = '', ...others] = problems({ [FUNCTION]: read(`template/${FUNCTION}`) });
    expect(others).toEqual([]);
    expect(problem).toContain(
      'netlify/functions/server.mjs: the function has no option jobs, so the jobs mail (app/mail+job.ts), report (app/report+job.ts) could not be stored on Netlify.\n',
    );
    expect(problem).toContain('jobs: createPostgresJobs({ work: false, maxConnections: 4 }),');
  });

  it('that has the option only in a comment fails', () => {
    const text = read(`template/${FUNCTION}`);
    expect(problems({ [FUNCTION]: `// jobs: later\n/* jobs: later */\n${text}` })).toHaveLength(1);
  });

  it('is found where netlify.toml says, also in a folder of its own', () => {
    const config = "[functions]\n  directory = 'api'\n";
    const found = problems({ 'api/web/index.ts': read(`template/${FUNCTION}`) }, config);
    expect(found).toEqual([expect.stringContaining('api/web/index.ts: ')]);
  });
});

it('an edge function fails, and is not filled in', () => {
  const text = read(`template-edge/${EDGE}`);
  expect(jobsHost.fillTemplate({ path: EDGE, text }, [MAIL])).toBe(text);
  expect(problems({ [EDGE]: text }, read('template-edge/netlify.toml'))).toEqual([
    'netlify/edge-functions/server.mjs: an Edge Function of Netlify has no engine for jobs, so the jobs mail (app/mail+job.ts), report (app/report+job.ts) could not be stored.\n' +
      'Host the app in a Netlify Function instead: appkit init --host netlify writes one.',
  ]);
  expect(jobsHost.commands?.(read('template-edge/netlify.toml'))).toEqual([]);
});
