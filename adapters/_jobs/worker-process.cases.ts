// A process that runs the jobs of a file, for tests that kill it: node worker-process.cases.ts <file> <folder> <hours>
import { createJobRunner } from '../../runtime/host.ts';
import { createEffects } from './effects.cases.ts';
import { openJobStore } from './job-store.ts';
import { createWorker, SYSTEM_CLOCK } from './worker.ts';

const [file = '', folder = '', hours = '0'] = process.argv.slice(2);

const store = openJobStore(file);
const runner = createJobRunner(createEffects(folder, { concurrency: 3 }), {
  enqueue: async (envelope) => store.add(envelope, Date.now()),
  waitUntil: () => {},
});
// Later than the leases of the processes that were killed before.
const now = (): number => Date.now() + Number(hours) * 3_600_000;
createWorker(store, () => runner, { ...SYSTEM_CLOCK, now }).wake();
setInterval(() => {}, 60_000);
