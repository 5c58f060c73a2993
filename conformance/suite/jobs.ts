import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { BehaviourSource } from '../behaviour.ts';
import { runCommand, serverEnvironment } from '../command.ts';
import { withOptions } from '../configurations.ts';
import { NotApplicable } from '../generic/not-applicable.ts';
import { release, signalled, signalNow, uniqueId } from '../generic/signals.ts';
import type { Host, StartOptions } from '../host.ts';

const source: BehaviourSource = { source: 'docs/guide/jobs.md', needs: 'jobs' };

interface Span {
  name: string;
  id: string;
  parent?: string;
}

interface Stored {
  id: string;
  state: string;
  attempt: number;
  dueAt: string;
  error?: string;
}

/**
 * The variables by which a server and the command line find the same jobs. A server of an earlier run would take jobs
 * from them.
 *
 * @param name – different names have different jobs.
 */
function placeOf({ local }: Host, name = `jobs-${process.pid}`): Record<string, string> {
  const { APPKIT_DATABASES: databases } = local.env;
  if (databases === undefined) return { APPKIT_JOBS: path.join(local.folders.app, '.appkit', `${name}.sqlite`) };
  const url = new URL(readFileSync(path.join(local.folders.app, databases), 'utf8'));
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href };
}

function withJobs({ local }: Host, env: Record<string, string>): StartOptions {
  return local.commandWithOptions ? { options: {}, env } : { env };
}

/** A server that stores jobs and runs them. */
function working(host: Host): Promise<Host & { waitForOutput(pattern: RegExp): Promise<unknown> }> {
  return host.configured(withJobs(host, placeOf(host)));
}

async function enqueue(host: Host, job: string, input: unknown, options?: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ job, input, options });
  const response = await host.fetch('/jobs/enqueue', { method: 'POST', body });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, ...answer };
}

async function accepted(host: Host, job: string, input: unknown, options?: object): Promise<string> {
  const answer = await enqueue(host, job, input, options);
  expect(answer).toMatchObject({ status: 202, duplicate: false });
  return String(answer['id']);
}

/** Runs `appkit jobs` next to the server. Gives its standard output: on the other it says that it waits for a busy database. */
async function jobsCommand({ local }: Host, place: Record<string, string>, ...args: string[]): Promise<string> {
  const env = { ...serverEnvironment, ...place };
  return (await runCommand([...local.cli, 'jobs', ...args], local.folders.app, env)).stdout;
}

/** The record of a job whose attempts are used up, or that can never succeed. */
async function dead(host: Host, id: string): Promise<Pick<Stored, 'attempt' | 'error'>> {
  const { APPKIT_DEAD_JOBS: place } = host.local.env;
  if (place === undefined) return stored(host, id, 'dead');
  for (;;) {
    const found = (await (await host.fetch(`${place}?id=${id}`)).json()) as Stored | null;
    if (found) return found;
  }
}

/** The record of a job, as soon as it is in a state. */
async function stored(host: Host, id: string, state: string, place = placeOf(host)): Promise<Stored> {
  for (;;) {
    const found = JSON.parse(await jobsCommand(host, place, 'show', id)) as Stored;
    if (found.state === state) return found;
  }
}

async function done(host: Host, name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await signalled(host, `${name}-done`)) as Record<string, unknown>;
}

behaviour('answers before a job has run', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  await accepted(server, 'act', { signal: name, act: 'wait' });
  await signalled(server, `${name}-begun`);
  expect(await signalNow(server, `${name}-done`)).toBe(null);
  await release(server, `${name}-release`);
  await done(server, name);
});

behaviour('gives a job its input as it was', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  const value = { text: 'é\u0000\u{1f600}', list: [1, -0.5, 1e300, true, null, ''], nested: { 'a b': [[]] } };
  const id = await accepted(server, 'act', { signal: name, value });
  expect(await done(server, name)).toEqual({ id, attempt: 1, key: null, value });
});

behaviour('refuses an input that the schema of a job does not accept', source, async (host) => {
  const answer = await enqueue(await working(host), 'act', { signal: 7 });
  expect(answer).toMatchObject({ status: 422, code: 'ERR_JOB_INPUT' });
  expect(answer['message']).toMatch(/The job jobs\/act does not accept this input. #\/signal: /);
});

behaviour('refuses an input that is not JSON, and one that is too large', source, async (host) => {
  const server = await working(host);
  const response = await server.fetch('/jobs/enqueue', { method: 'PUT' });
  expect(await response.json()).toMatchObject({
    code: 'ERR_JOB_INPUT',
    message: expect.stringMatching(/jobs\/act cannot be stored. input\.value\.at is of type bigint/),
  });
  const answer = await enqueue(server, 'act', { signal: 'x'.repeat(100_001) });
  expect(answer).toMatchObject({ status: 422, code: 'ERR_JOB_INPUT' });
  expect(answer['message']).toMatch(/It has 1000\d\d bytes as JSON, and may have 100000/);
});

behaviour('gives up at once on an input that a new release does not accept', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  const id = await accepted(server, 'changing', name);
  await server.waitForOutput(new RegExp(`no longer accepts its input. #: ${name} was of an older release`));
  expect(await dead(server, id)).toMatchObject({
    attempt: 1,
    error: expect.stringContaining('no longer accepts its input'),
  });
  expect(await signalNow(server, `${name}-ran`)).toBe(null);
});

behaviour('tries a job again that has failed, and counts its attempts', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  await accepted(server, 'act', { signal: name, fail: 2 });
  expect(await done(server, name)).toMatchObject({ attempt: 3 });
  await server.waitForOutput(new RegExp(`${name} failed in 2`));
});

behaviour('keeps a job whose attempts are used up, with its error', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  const id = await accepted(server, 'act', { signal: name, fail: 3 });
  const found = await dead(server, id);
  expect(found).toMatchObject({ attempt: 3, error: expect.stringContaining(`${name} failed in 3`) });
});

behaviour(
  'runs a dead job again when told to, and forgets it when told to',
  { ...source, needs: ['jobs', 'jobCommands'] },
  async (host) => {
    const server = await working(host);
    const id = await accepted(server, 'act', { signal: uniqueId(), fail: 3 });
    await stored(server, id, 'dead');
    await jobsCommand(server, placeOf(server), 'retry', id);
    await stored(server, id, 'dead');
    await jobsCommand(server, placeOf(server), 'discard', id);
    await expect(jobsCommand(server, placeOf(server), 'show', id)).rejects.toThrow('there is no job with this id');
  },
);

behaviour('lets a job wait, also for longer than a quarter of an hour', source, async (host) => {
  const server = await working(host);
  const [soon, late] = [uniqueId(), uniqueId()];
  const enqueuedAt = Date.now();
  const id = await accepted(server, 'act', { signal: late }, { delayMs: 20 * 60_000 });
  await accepted(server, 'act', { signal: soon }, { delayMs: 300 });
  await done(server, soon);
  expect(Date.now() - enqueuedAt).toBeGreaterThanOrEqual(300);
  expect(await signalNow(server, `${late}-begun`)).toBe(null);
  if (server.local.env['APPKIT_DEAD_JOBS'] !== undefined) return;
  const { dueAt } = await stored(server, id, 'waiting');
  expect(Date.parse(dueAt) - enqueuedAt).toBeGreaterThanOrEqual(20 * 60_000);
});

behaviour('stores a key once, also when its job is done', { ...source, needs: ['jobs', 'jobKeys'] }, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  const input = { signal: name, act: 'wait' };
  const [first, second] = await Promise.all([0, 1].map(() => enqueue(server, 'act', input, { key: name })));
  expect([first?.['duplicate'], second?.['duplicate']].toSorted()).toEqual([false, true]);
  expect(first?.['id']).toBe(second?.['id']);
  await release(server, `${name}-release`);
  expect(await done(server, name)).toMatchObject({ key: name });
  const third = await enqueue(server, 'act', input, { key: name });
  expect(third).toEqual({ status: 202, id: first?.['id'], duplicate: true });
});

behaviour(
  'runs no more of a job at the same time than it allows',
  { ...source, needs: ['jobs', 'jobsAtOnce'] },
  async (host) => {
    const server = await working(host);
    const names = [uniqueId(), uniqueId(), uniqueId()];
    const [first = '', second = '', third = ''] = names;
    for (const signal of names) await accepted(server, 'act', { signal, act: 'wait' });
    await Promise.all([signalled(server, `${first}-begun`), signalled(server, `${second}-begun`)]);
    expect(await signalNow(server, `${third}-begun`)).toBe(null);
    await release(server, `${first}-release`);
    await signalled(server, `${third}-begun`);
    await Promise.all([second, third].map((name) => release(server, `${name}-release`)));
    await done(server, third);
  },
);

behaviour('aborts the signal of a job whose time is over, and tries it again', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  await accepted(server, 'hang', name);
  expect(await signalled(server, `${name}-aborted`)).toBe('TimeoutError');
  expect(await signalled(server, `${name}-again`)).toBe('2');
});

behaviour('lets a job enqueue a job', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  await accepted(server, 'act', { signal: name, act: 'next' });
  await signalled(server, `${name}-next`);
});

behaviour('gives a job environment() and runTask(), and refuses helpers of a request', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  await accepted(server, 'act', { signal: name, act: 'helpers' });
  const { environment, refused } = await done(server, name);
  expect([null, 'development']).toContain(environment);
  const refusal = (helper: string): unknown =>
    expect.stringContaining(`${helper} was called in the job jobs/act, which`);
  expect(refused).toEqual({
    origin: refusal('origin()'),
    cookies: refusal('cookies()'),
    setResponseHeaders: refusal('setResponseHeaders()'),
  });
});

behaviour(
  'gives back a job that runs when the server is told to stop, and runs it when it is there again',
  { ...source, needs: ['jobs', 'shutdown'] },
  async (host) => {
    const place = placeOf(host, uniqueId());
    const name = uniqueId();
    await using server = await host.start(withJobs(host, place));
    const id = await accepted(server, 'act', { signal: name, act: 'drain' });
    await server.waitForOutput(new RegExp(`${name} waits for the end`));
    expect((await server.stop()).code).toBe(0);
    expect(await stored(host, id, 'waiting', place)).toMatchObject({ attempt: 0 });
    await using again = await host.start(withJobs(host, place));
    expect(await signalled(again, `${name}-begun`)).toBe('1');
  },
);

behaviour('continues the trace of whoever has enqueued a job', source, async (host) => {
  const server = await host.configured({
    ...withJobs(host, placeOf(host, `traced-${process.pid}`)),
    app: 'app-catch-all',
  });
  const trace = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
  expect((await server.fetch('/traced/x', { method: 'POST', headers })).status).toBe(202);
  for (;;) {
    const spans = (await (await server.fetch(`/spans?trace=${trace}`)).json()) as Span[];
    const [asked, run, inside] = ['POST /traced/[id]', 'process traced/work', 'job'].map((name) =>
      spans.find((span) => span.name === name),
    );
    if (!asked || !run || !inside) continue;
    expect([run.parent, inside.parent]).toEqual([asked.id, run.id]);
    return;
  }
});

behaviour('runs no job for a request that looks like a delivery or a schedule', source, async (host) => {
  const server = await working(host);
  const name = uniqueId();
  const envelope = { v: 1, id: name, job: 'jobs/act', input: { signal: name }, runAt: 0, attempt: 0 };
  const of = (values: Record<string, string>): [string, string][] =>
    Object.entries(values).map(([key, value]) => [`ce-vqs${key}`, value]);
  const headers = Object.fromEntries([
    ...of({ queuename: 'appkit-jobs', consumergroup: 'api_Sjobs_Dmjs', messageid: name, receipthandle: name }),
    ...of({ deliverycount: '1', createdat: new Date().toISOString() }),
    ['ce-type', 'com.vercel.queue.v2beta'],
    ['content-type', 'application/json'],
  ]);
  for (const target of ['/api/jobs', '/api/jobs.mjs', '/api/schedules?job=jobs/act']) {
    const body = JSON.stringify(envelope);
    expect([401, 404, 405]).toContain((await server.fetch(target, { method: 'POST', headers, body })).status);
    expect([401, 404]).toContain((await server.fetch(target, { headers })).status);
  }
  // A job that one of these requests had enqueued would run before the next one.
  const next = uniqueId();
  await accepted(server, 'act', { signal: next });
  await done(server, next);
  expect(await signalNow(server, `${name}-begun`)).toBe(null);
});

behaviour('rejects, naming job and host, where nothing stores jobs', 'docs/guide/jobs.md', async (host) => {
  // The templates of servers give an app with jobs an engine.
  const server = await host.configured(withOptions);
  const answer = await enqueue(server, 'act', { signal: uniqueId() });
  if (answer['status'] === 202) throw new NotApplicable('It stores jobs without being told.');
  expect(answer).toMatchObject({ status: 422, code: 'ERR_JOBS_UNAVAILABLE' });
  expect(answer['message']).toMatch(/^The job jobs\/act cannot be stored: [A-Z][\w ]+ runs this app without an engine/);
});
