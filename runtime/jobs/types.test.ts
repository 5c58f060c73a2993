import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineJob, enqueue } from '../jobs.ts';
import type { Enqueued, Job, JobRun, JobSchedule } from '../jobs.ts';

it("gives run the schema's output, and enqueue() accepts the schema's input", () => {
  const job = defineJob({
    input: z.object({ at: z.iso.datetime().transform((text) => new Date(text)), copies: z.number().default(1) }),
    run(input, run) {
      expectTypeOf(input).toEqualTypeOf<{ at: Date; copies: number }>();
      expectTypeOf(run).toEqualTypeOf<JobRun>();
    },
  });
  expectTypeOf(job).toEqualTypeOf<Job<{ at: string; copies?: number | undefined }>>();
  const calls = async (): Promise<void> => {
    expectTypeOf(
      await enqueue(job, { at: '2026-11-23T00:00:00Z' }, { key: 'k', delayMs: 1 }),
    ).toEqualTypeOf<Enqueued>();
    // @ts-expect-error -- It needs an input.
    await enqueue(job);
    // @ts-expect-error -- It is a date only in the run.
    await enqueue(job, { at: new Date() });
    // @ts-expect-error -- No engine has it.
    await enqueue(job, { at: '' }, { transaction: {} });
  };
  void calls;
});

it('accepts any input, or none, without a schema', () => {
  const job = defineJob({ run: (input) => expectTypeOf(input).toEqualTypeOf<unknown>() });
  const calls = async (): Promise<void> => {
    await enqueue(job);
    await enqueue(job, { any: 'thing' }, { key: 'k' });
    // @ts-expect-error -- It is no job.
    await enqueue({ name: 'mail' });
  };
  void calls;
});

it('gives a schedule the input that the schema accepts', () => {
  const input = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) });
  const cron = '0 8 * * 1';
  const job = defineJob({
    input,
    schedule: { cron, timeZone: 'Europe/Berlin', missed: 'once', input: { at: '2026-11-23T00:00:00Z' } },
    run(given, { scheduledAt }) {
      expectTypeOf(given).toEqualTypeOf<{ at: Date }>();
      expectTypeOf(scheduledAt).toEqualTypeOf<Date | undefined>();
    },
  });
  expectTypeOf(job).toEqualTypeOf<Job<{ at: string }>>();
  const run = (): void => {};
  // @ts-expect-error -- It needs an input.
  defineJob({ input, schedule: { cron }, run });
  // @ts-expect-error -- It is a date only in the run.
  defineJob({ input, schedule: { cron, input: { at: new Date() } }, run });
  defineJob({ input: input.optional(), schedule: { cron }, run });
  defineJob({ schedule: { cron, input: ['any'] }, run });
  expectTypeOf<JobSchedule<string>['input']>().toEqualTypeOf<string>();
});
