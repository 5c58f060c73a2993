// A process that runs the jobs of a file, for tests that end it: node worker-process.cases.ts <file> <folder> <hours>
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createJobRunner } from '../../runtime/host.ts';
import { defineJob } from '../../runtime/jobs.ts';
import { openJobStore } from './job-store.ts';
import { createWorker, SYSTEM_CLOCK } from './worker.ts';

const [file = '', folder = '', hours = '0'] = process.argv.slice(2);

const effect = defineJob({
  concurrency: 3,
  async run(input, { key = '' }) {
    appendFileSync(path.join(folder, 'runs'), `${key}\n`);
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(path.join(folder, key), String(input));
    console.log(`did ${key}`);
  },
});
const killer = defineJob({
  retry: { attempts: 2 },
  run() {
    console.log('kill');
    process.kill(process.pid, 'SIGKILL');
  },
});

const store = openJobStore(file);
const build = {
  manifest: {
    version: 6,
    routes: [],
    jobs: [
      { name: 'effect', file: 'effect.js' },
      { name: 'killer', file: 'killer.js' },
    ],
  },
  modules: { 'effect.js': () => ({ default: effect }), 'killer.js': () => ({ default: killer }) },
};
const runner = createJobRunner(
  { build },
  { enqueue: async (envelope) => store.add(envelope, Date.now()), waitUntil: () => {} },
);
// Later than the leases of whoever was killed before.
const now = (): number => Date.now() + Number(hours) * 3_600_000;
createWorker(store, () => runner, { ...SYSTEM_CLOCK, now }).wake();
setInterval(() => {}, 60_000);
