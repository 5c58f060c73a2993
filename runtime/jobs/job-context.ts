import { codedError } from '../http/coded-error.ts';
import type { RequestContext } from '../request/context.ts';
import { assertTask, runIsolated } from '../request/tasks.ts';
import type { Enqueued, JobEnvelope, JobTransaction } from './engine.ts';

/** The parts of its host that a job uses. */
export interface JobContextOptions {
  job: string;
  environment: string | undefined;
  /** Reports the error of a task. */
  report(error: unknown): void;
  waitUntil(promise: Promise<unknown>): void;
  enqueue(envelope: JobEnvelope, transaction?: JobTransaction): Promise<Enqueued>;
}

/** The helpers that also work without a request. */
const KNOWN = ['environment()', 'runTask()', 'enqueue()'];

/**
 * Creates the context in which a job runs: it supports the helpers that work without a request, and refuses the
 * others.
 */
export function createJobContext(options: JobContextOptions): RequestContext {
  const { job, report, waitUntil, enqueue } = options;
  const context: Pick<RequestContext, 'refuse' | 'environment' | 'runTask' | 'enqueue'> = {
    refuse(helper) {
      if (KNOWN.includes(helper)) return;
      throw codedError(
        'ERR_OUTSIDE_REQUEST',
        `${helper} was called in the job ${job}, which answers no request. Read what it gives in the route, and enqueue the job with that as input.`,
      );
    },
    environment() {
      const name = options.environment ?? globalThis.process?.env['NODE_ENV'];
      return name === undefined || name === '' || name === 'production' ? null : name;
    },
    runTask(task) {
      assertTask('runTask()', task);
      waitUntil(runIsolated(task, report));
    },
    enqueue,
  };
  // Every helper calls refuse() first.
  return context as RequestContext;
}
