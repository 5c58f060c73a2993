import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JobApp } from '../../runtime/host.ts';
import { defineJob } from '../../runtime/jobs.ts';

/**
 * An app whose job `effect` leaves a file named after its key in a folder, and a line in the file `runs` there for each attempt. Its job `killer`
 * kills the process.
 */
export function createEffects(folder: string, { concurrency }: { concurrency: number }): JobApp {
  const effect = defineJob({
    concurrency,
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
  const jobs = [
    { name: 'effect', file: 'effect.js' },
    { name: 'killer', file: 'killer.js' },
  ];
  const modules = { 'effect.js': () => ({ default: effect }), 'killer.js': () => ({ default: killer }) };
  return { build: { manifest: { version: 6, routes: [], jobs }, modules } };
}
