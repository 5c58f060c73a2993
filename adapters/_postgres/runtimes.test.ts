import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres } from './postgres-server.cases.ts';
import type { PostgresServer } from './postgres-server.cases.ts';

const root = path.join(import.meta.dirname, '../..');
const programs = findPostgres();
/** The conformance suite installs it. */
const deno = path.join(root, '.cache/tools/deno/tools/node_modules/.bin/deno');
let server: PostgresServer;

beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
});

afterAll(() => server?.stop());

function urlOf(file: string): string {
  return JSON.stringify(pathToFileURL(path.join(root, 'runtime/lib', file)).href);
}

/** Stores a job with the package's engine for a runtime, and runs it. */
const PROGRAM = `
  import { createPostgresJobs } from ${urlOf('adapters/_postgres/index.js')};
  import { defineJob } from ${urlOf('runtime/jobs.js')};
  const jobs = createPostgresJobs();
  const ran = Promise.withResolvers();
  const job = defineJob({ run: (input, { attempt }) => ran.resolve({ input, attempt }) });
  const manifest = { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] };
  const { enqueue } = jobs.connect({ build: { manifest, modules: { 'mail.js': () => ({ default: job }) } } });
  const { id } = await enqueue({ v: 1, id: crypto.randomUUID(), job: 'mail', input: 'é', runAt: 0, attempt: 0 });
  const { input, attempt } = await ran.promise;
  let state;
  while (state !== 'done') ({ state } = await jobs.get(id));
  await jobs.close();
  console.log(JSON.stringify({ input, attempt, state }));`;

/** The output of the program. */
async function run(command: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, DATABASE_URL: server.url, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout } = await promisify(execFile)(command, args, { cwd: root, env });
  return JSON.parse(stdout);
}

describe.runIf(programs)('jobs in PostgreSQL are stored and run', () => {
  const DONE = { input: 'é', attempt: 1, state: 'done' };

  it('by Bun', async () => {
    expect(await run(path.join(root, 'node_modules/.bin/bun'), '-e', PROGRAM)).toEqual(DONE);
  });

  it.runIf(existsSync(deno))('by Deno', async () => {
    expect(await run(deno, 'eval', '--ext=mjs', PROGRAM)).toEqual(DONE);
  });
});
