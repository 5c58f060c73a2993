import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

/** What a command cost. */
export interface Timed {
  seconds: number;
  /** The sum over all its threads. */
  processorSeconds: number;
  /** Its peak memory. */
  mebibytes: number;
}

/** Runs a command to its end, in the folder of the benchmarks. */
export async function timeCommand([file, ...args]: readonly [string, ...string[]]): Promise<Timed> {
  const start = performance.now();
  const child = spawn(file, args, { cwd: import.meta.dirname, stdio: ['ignore', 'ignore', 'inherit'] });
  const timed: Timed = { seconds: NaN, processorSeconds: NaN, mebibytes: NaN };
  // As the system reports them (proc(5)): the peak so far, and ticks of a hundredth of a second.
  const watch = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (timed.mebibytes = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? timed.mebibytes * 1024) / 1024),
      () => undefined,
    );
    readFile(`/proc/${child.pid}/stat`, 'utf8').then(
      (stat) => {
        const fields = stat.slice(stat.lastIndexOf(')')).split(' ');
        timed.processorSeconds = (Number(fields[12]) + Number(fields[13])) / 100;
      },
      () => undefined,
    );
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with code ${code}.`);
  return { ...timed, seconds: (performance.now() - start) / 1000 };
}
