import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres } from '../../../adapters/_postgres/postgres-server.cases.ts';
import { runCli, startCli, startDev, startServe } from '../fixtures/cli-process.ts';
import type { CliResult } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const FILES = {
  'package.json': '{ "name": "worked", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  'app/mail+job.ts': `
    import { defineJob } from 'appkit-server/jobs';
    export default defineJob({
      retry: { attempts: 1 },
      run(input) {
        if (input === 'fail') throw new Error('no such address');
        console.log(\`mail to \${input}\`);
      },
    });`,
  'app/send+api.ts': `
    import { enqueue } from 'appkit-server/jobs';
    import mail from './mail+job.ts';
    export const POST = async (request: Request) => Response.json(await enqueue(mail, await request.text()));`,
};

interface Stored {
  id: string;
  state: string;
}

let app: TemporaryApp;

beforeAll(async () => {
  app = await createTemporaryApp(FILES);
  const { code, stderr } = await runCli(['export'], { cwd: app.folder });
  if (code !== 0) throw new Error(stderr);
});

beforeEach(() => rm(path.join(app.folder, '.appkit'), { recursive: true, force: true }));

afterAll(() => app[Symbol.asyncDispose]());

function jobs(...args: string[]): Promise<CliResult> {
  return runCli(['jobs', ...args], { cwd: app.folder });
}

async function list(): Promise<Stored[]> {
  return JSON.parse((await jobs('list', '--json')).stdout) as Stored[];
}

async function send(url: string, to: string): Promise<Stored> {
  const response = await fetch(`${url}/send`, { method: 'POST', body: to });
  return (await response.json()) as Stored;
}

/** Runs the jobs until one of them has printed a line. */
async function work(
  until: RegExp,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
): Promise<{ code: number | null; printed: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/appkit.js');
  const child = spawn(process.execPath, [bin, 'work', ...args], {
    cwd: app.folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let printed = '';
  for await (const line of createInterface(child.stdout)) {
    printed += `${line}\n`;
    if (until.test(line)) child.kill('SIGTERM');
  }
  return { code: await exited, printed };
}

describe('appkit work', () => {
  it('runs the jobs that a server has only stored, and ends on SIGTERM', async () => {
    await using serve = await startServe(['--port=0', '--no-work'], { cwd: app.folder });
    const { id } = await send(serve.url, 'ada');
    expect(await list()).toMatchObject([{ id, state: 'waiting' }]);
    const { code, printed } = await work(/^mail to ada$/);
    expect(code).toBe(0);
    expect(printed).toBe(`Running the jobs of ${path.join(app.folder, '.appkit/jobs.sqlite')}\nmail to ada\n`);
    expect(await list()).toMatchObject([{ id, state: 'done' }]);
  });

  it("runs the app's jobs when given the folder of its export, like the other commands", async () => {
    const file = path.join(app.folder, '.appkit/jobs.sqlite');
    await using serve = await startServe(['dist', '--port=0', '--no-work'], { cwd: app.folder });
    expect(serve.lines[0]).toBe(`Jobs are in ${file}`);
    const { id } = await send(serve.url, 'ada');
    const { printed } = await work(/^mail to ada$/, { args: ['dist'] });
    expect(printed).toBe(`Running the jobs of ${file}\nmail to ada\n`);
    expect((await jobs('show', id, '--dir', 'dist')).stdout).toContain('"state": "done"');
    expect(existsSync(path.join(app.folder, 'dist/.appkit'))).toBe(false);
  });

  it('refuses an export without jobs', async () => {
    await using other = await createTemporaryApp({ 'app/a+api.ts': 'export const GET = () => new Response();' });
    await runCli(['export'], { cwd: other.folder });
    const { code, stderr } = await runCli(['work'], { cwd: other.folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/this export has no jobs\.\n.*app\/mail\+job\.ts/)]);
    expect(existsSync(path.join(other.folder, '.appkit/jobs.sqlite'))).toBe(false);
  });
});

describe('appkit jobs', () => {
  it('says where it has looked when it finds no jobs', async () => {
    const { code, stderr } = await jobs('list');
    expect([code, stderr]).toEqual([1, expect.stringContaining('jobs.sqlite: no job has been stored here.')]);
  });

  it('finds the jobs that the variables of --env-file name', async () => {
    await writeFile(path.join(app.folder, '.env.jobs'), 'APPKIT_JOBS=elsewhere.sqlite');
    const { stderr } = await jobs('list', '--env-file', '.env.jobs');
    expect(stderr).toContain('elsewhere.sqlite: no job has been stored here.');
  });

  it('lists, shows, retries and discards', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    const { id } = await send(serve.url, 'fail');
    await expect
      .poll(serve.errors)
      .toContain(`The job mail (${id}) failed in attempt 1. It is not tried again: see \`appkit jobs\`.`);
    await expect.poll(list).toMatchObject([{ id, state: 'dead' }]);
    const table = (await jobs('list', '--state', 'dead')).stdout;
    expect(table).toMatch(new RegExp(`^Id .*\\n${id} +mail +dead +1 +\\S+ +Error: no such address\\n$`));
    expect((await jobs('list', '--state', 'done')).stdout).toBe('There are no done jobs.\n');
    expect(JSON.parse((await jobs('show', id)).stdout)).toMatchObject({ id, job: 'mail', input: 'fail', attempt: 1 });
    expect((await jobs('retry', id)).stdout).toBe(`${id} will be run by the next process that runs jobs.\n`);
    await expect.poll(list).toMatchObject([{ id, state: 'dead' }]);
    expect((await jobs('discard', id)).stdout).toBe(`${id} is discarded.\n`);
    expect(await jobs('show', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('no job with this id') });
  });

  it('does not retry a job that is done', async () => {
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    const { id } = await send(serve.url, 'ada');
    await serve.printed(/^mail to ada$/);
    await expect.poll(list).toMatchObject([{ state: 'done' }]);
    const { code, stderr } = await jobs('retry', id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('a job that is done cannot be run again')]);
  });

  it('refuses an unknown command', async () => {
    await using cli = startCli(['jobs', 'purge'], { cwd: app.folder });
    expect((await cli.exited).code).toBe(2);
  });
});

describe('DATABASE_URL', () => {
  const programs = findPostgres();

  it.runIf(programs)('stores jobs in PostgreSQL, and runs them from there', async () => {
    const server = await startPostgres(programs ?? '');
    const env = { DATABASE_URL: server.url };
    const place = `PostgreSQL at ${new URL(server.url).searchParams.get('host')}/postgres`;
    try {
      await using serve = await startServe(['--port=0', '--no-work'], { cwd: app.folder, env });
      expect(serve.lines[0]).toBe(`Jobs are in ${place}`);
      const { id } = await send(serve.url, 'ada');
      const { code, printed } = await work(/^mail to ada$/, { env });
      expect([code, printed]).toEqual([0, `Running the jobs of ${place}\nmail to ada\n`]);
      const { stdout } = await runCli(['jobs', 'show', id], { cwd: app.folder, env });
      expect(JSON.parse(stdout)).toMatchObject({ id, state: 'done', input: 'ada', attempt: 1 });
      expect(existsSync(path.join(app.folder, '.appkit'))).toBe(false);
    } finally {
      await server.stop();
    }
  });

  it.runIf(programs)('is not changed by a command that looks for jobs and finds none', async () => {
    const server = await startPostgres(programs ?? '');
    const client = new pg.Client(server.url);
    try {
      const place = `PostgreSQL at ${new URL(server.url).searchParams.get('host')}/postgres`;
      for (const args of [['list'], ['discard', crypto.randomUUID()]]) {
        const { code, stderr } = await runCli(['jobs', ...args], {
          cwd: app.folder,
          env: { DATABASE_URL: server.url },
        });
        expect([code, stderr]).toEqual([1, expect.stringContaining(`${place}: no job has been stored here.`)]);
      }
      await client.connect();
      const { rows } = await client.query("SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information)'");
      expect(rows).toEqual([{ nspname: 'public' }]);
    } finally {
      await client.end();
      await server.stop();
    }
  });

  it('names the database that cannot be reached, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/shop' };
    const { code, stderr } = await runCli(['jobs', 'list'], { cwd: app.folder, env });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/PostgreSQL at 127\.0\.0\.1:1\/shop, where .*ECONNREFUSED/),
    ]);
    expect(stderr).not.toContain('secret');
  });
});

describe('appkit routes', () => {
  it('lists the jobs', async () => {
    const { stdout } = await runCli(['routes'], { cwd: app.folder });
    expect(stdout).toMatch(/^mail +job +app\/mail\+job\.ts +[\d.]+ k?B$/m);
    const { stdout: json } = await runCli(['routes', '--json'], { cwd: app.folder });
    expect(JSON.parse(json)).toMatchObject({ jobs: [{ name: 'mail', file: 'app/mail+job.ts' }] });
  });
});

describe('appkit start', () => {
  it('runs the last saved version of a job', async () => {
    await using dev = await startDev([], { cwd: app.folder });
    await send(dev.url, 'grace');
    await dev.printed(/^mail to grace$/);
  });

  it('prints where the jobs are shown, and no production server shows them', async () => {
    const shown = '/_appkit/dev/jobs';
    await using dev = await startDev([], { cwd: app.folder });
    await dev.printed(new RegExp(`^Jobs at ${dev.url.replace(/\/$/, '')}${shown}$`));
    expect(await (await fetch(new URL(shown, dev.url))).text()).toContain('<title>Jobs</title>');
    await using serve = await startServe(['--port=0'], { cwd: app.folder });
    expect((await fetch(new URL(shown, serve.url))).status).toBe(404);
  });
});
