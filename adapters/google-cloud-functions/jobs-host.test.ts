import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { HostedJob } from '../_deploy/jobs-host.ts';
import { jobsHost } from './jobs-host.ts';

const MAIL: HostedJob = { name: 'mail', file: 'mail+job.js', source: 'app/mail+job.ts' };
const FILE = 'index.mjs';
const template = readFileSync(path.join(import.meta.dirname, 'template', FILE), 'utf8');

const problems = (code: string): string[] =>
  jobsHost.findProblems('', [MAIL], [{ file: FILE, code }]).map(({ message, fix }) => `${message}\n${fix}`);

it('has the function of the template filled with what jobs need', () => {
  const filled = jobsHost.fillTemplate({ path: FILE, text: template }, [MAIL]);
  expect(filled).toContain("import { createPostgresJobs } from 'appkit-server/jobs/postgres';\n");
  expect(filled).toContain(
    "createRequestHandler({\n  build: path.join(import.meta.dirname, 'dist/server'),\n  // Stores jobs",
  );
  expect(filled).toContain('  jobs: createPostgresJobs({ work: false, maxConnections: 4 }),\n});\n');
  expect(problems(filled)).toEqual([]);
  const other = '{ "main": "index.mjs" }';
  expect(jobsHost.fillTemplate({ path: 'package.json', text: other }, [MAIL])).toBe(other);
});

it('stops a function without the option, with what to add', () => {
  const [problem = '', ...others] = problems(template);
  expect(others).toEqual([]);
  expect(problem).toContain(
    'index.mjs: the function has no option jobs, so the job mail (app/mail+job.ts) could not be stored on Google Cloud.\nInstall pg-boss (npm install pg-boss@12.38.0)',
  );
  expect(problem).toContain('guide/jobs.md, "On Google Cloud"');
});
