// A process that runs jobs in PostgreSQL, for tests that end it: node worker-process.cases.ts <url> <folder>
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defineJob } from '../../runtime/jobs.ts';
import { createPostgresJobs } from './index.ts';

const [connectionString, folder = ''] = process.argv.slice(2);

const effect = defineJob({
  concurrency: 50,
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
    process.kill(process.pid, 'SIGKILL');
  },
});

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
createPostgresJobs({ connectionString }).connect({ build });
setInterval(() => {}, 60_000);
