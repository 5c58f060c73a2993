// A function that runs the jobs of a queue in a separate process, for tests that kill it: node
// function-process.cases.ts <folder>
import { createEffects } from '../_jobs/effects.cases.ts';
import { createJobHandler, createSqsJobs } from './index.ts';
import type { JobHandlerOptions } from './index.ts';

const [folder = ''] = process.argv.slice(2);
const { build } = createEffects(folder, { concurrency: 3 });
const handler = createJobHandler({ build: build as JobHandlerOptions['build'], jobs: createSqsJobs() });

process.on('message', (event) => {
  void handler(event).then((result) => process.send?.(result));
});
