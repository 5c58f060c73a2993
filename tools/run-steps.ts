import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** One command of a longer run. */
export interface Step {
  /** What the line in front of its output calls it. */
  name: string;
  command: readonly [string, ...string[]];
}

/** The outcome of a {@link Step}. */
export interface StepResult {
  name: string;
  passed: boolean;
  /** Standard output and error, in the order they came. */
  output: string;
  seconds: number;
}

/** Runs a command to its end, keeping its output; `live` shows it as well. */
export async function runStep({ name, command }: Step, live: boolean): Promise<StepResult> {
  const started = performance.now();
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (live) process.stdout.write(text);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { name, passed: code === 0, output, seconds: (performance.now() - started) / 1000 };
}
