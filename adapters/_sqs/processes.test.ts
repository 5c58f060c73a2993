import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { deliver } from '../aws-lambda/emulator/host/event-source.mjs';
import type { SqsEvent } from '../aws-lambda/emulator/host/sqs.mjs';
import { createSqsJobs } from './index.ts';
import { envelopeOf, startQueues } from './queues.cases.ts';
import type { Queues } from './queues.cases.ts';

let folder: string;
let queues: Queues;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  folder = mkdtempSync(path.join(tmpdir(), 'appkit-sqs-'));
  queues = await startQueues();
  for (const [name, value] of Object.entries(queues.variables)) vi.stubEnv(name, value);
});

afterEach(async () => {
  vi.useRealTimers();
  await queues.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Calls a function in a separate process. Rejects if the process ends. */
async function invoke(event: SqsEvent): Promise<unknown> {
  const child = fork(path.join(import.meta.dirname, 'function-process.cases.ts'), [folder], {
    env: { ...process.env, ...queues.variables },
  });
  const exited = once(child, 'exit');
  child.send(event);
  const result = await Promise.race([
    once(child, 'message').then(([message]) => message as unknown),
    exited.then(() => undefined),
  ]);
  child.kill('SIGKILL');
  await exited;
  if (result === undefined) throw new Error('The process has ended.');
  return result;
}

it('a job that kills its process is delivered again after the visibility time-out, until it is dead', async () => {
  const envelope = envelopeOf('killer');
  await createSqsJobs().connect({ build: {} }).enqueue(envelope);
  const mapping = { BatchSize: 1, FunctionResponseTypes: ['ReportBatchItemFailures'] };
  for (const receiveCount of [1, 2]) {
    expect(await deliver(queues.jobs, mapping, invoke)).toBe(1);
    const [message] = queues.jobs.list();
    expect([message?.receiveCount, (message?.visibleAt ?? 0) - Date.now()]).toEqual([receiveCount, 720_000]);
    expect(await deliver(queues.jobs, mapping, invoke)).toBe(0);
    vi.setSystemTime(Date.now() + 720_000);
  }
  await deliver(queues.jobs, mapping, invoke);
  expect(queues.jobs.list()).toEqual([]);
  const [{ attributes = {} } = {}] = queues.dead.list();
  expect(attributes['error']?.StringValue).toMatch(/Its 2 attempts have ended without a result/);
});

it('other jobs in its batch run again', async () => {
  // With a key, which enqueue() refuses on this host: the key names the file of its effect.
  for (const envelope of [envelopeOf('effect', { key: 'one' }), envelopeOf('killer')]) {
    queues.jobs.send(JSON.stringify(envelope));
  }
  const mapping = { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] };
  await deliver(queues.jobs, mapping, invoke);
  expect(queues.jobs.list()).toHaveLength(2);
  for (let times = 0; queues.jobs.list().length > 0 && times < 5; times += 1) {
    vi.setSystemTime(Date.now() + 720_000);
    await deliver(queues.jobs, mapping, invoke);
  }
  expect(queues.dead.list().map(({ body }) => (JSON.parse(body) as { job: string }).job)).toEqual(['killer']);
  expect(readdirSync(folder)).toContain('one');
});
