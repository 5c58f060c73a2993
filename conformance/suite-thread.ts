/** Runs the suite against one host after the other, in a thread of suite-threads.ts. */
import { parentPort } from 'node:worker_threads';
import { messageOf } from './generic/message-of.ts';
import { runSuite } from './run-suite.ts';
import type { SuiteRun } from './suite-threads.ts';

parentPort?.on('message', ({ host, options }: SuiteRun) => {
  runSuite(host, options).then(
    (outcome) => parentPort?.postMessage(outcome),
    (error: unknown) => parentPort?.postMessage({ behaviours: [], problems: [messageOf(error)] }),
  );
});
