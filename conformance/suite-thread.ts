/** Runs the suite against a host, in a thread of run-in-thread.ts. */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { SuiteRun } from './run-in-thread.ts';

// The next thread loads the same modules.
enableCompileCache();
const { runSuite } = await import('./run-suite.ts');
const { host, options } = workerData as SuiteRun; // from run-in-thread.ts
parentPort?.postMessage(await runSuite(host, options));
