import { expect, it, vi } from 'vitest';
import { createJobContext } from './job-context.ts';

const fail = (): never => expect.fail();
const create = (environment?: string): ReturnType<typeof createJobContext> =>
  createJobContext({ job: 'mail', environment, report: fail, waitUntil: fail, enqueue: fail });

it('has the environment of the option, otherwise of NODE_ENV, and null for production or none', () => {
  vi.stubEnv('NODE_ENV', 'test');
  expect(['staging', 'production', '', undefined].map((name) => create(name).environment())).toEqual([
    'staging',
    null,
    null,
    'test',
  ]);
  vi.stubEnv('NODE_ENV', undefined);
  expect(create().environment()).toBe(null);
  vi.stubGlobal('process', undefined);
  const without = create().environment();
  vi.unstubAllGlobals();
  expect(without).toBe(null);
});

it('names the helper that it refuses, or that was given no task', () => {
  const context = create();
  expect(() => context.refuse?.('origin()')).toThrow(
    expect.objectContaining({
      code: 'ERR_OUTSIDE_REQUEST',
      message: expect.stringMatching(/^origin\(\) was called in the job mail, which answers no request\./) as string,
    }),
  );
  expect(() => context.runTask(5 as never)).toThrow('runTask() was given a value of type number');
});
