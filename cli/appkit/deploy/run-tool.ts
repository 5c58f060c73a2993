import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { ToolCommand } from './find-tool.ts';

/** What a run of a tool came to. */
export interface ToolResult {
  /** Its exit code; of one that a signal has ended, what a shell makes of that. */
  code: number;
  signal: NodeJS.Signals | null;
  /** What it has printed to standard output. */
  stdout: string;
  /** All it has printed. */
  output: string;
}

const PASSED_ON = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a tool and shows what it prints as it comes. It asks the user what it likes, and the signals that ask us to end are
 * passed on to it: whatever it has begun is its own to finish.
 *
 * @param options – `printTo`: where its standard output is shown. `log`: where all it prints is written too.
 */
export async function runTool(
  { file, args: before }: ToolCommand,
  args: readonly string[],
  { cwd, printTo, log }: { cwd: string; printTo: NodeJS.WritableStream; log?: NodeJS.WritableStream | undefined },
): Promise<ToolResult> {
  const child = spawn(file, [...before, ...args], { cwd, stdio: ['inherit', 'pipe', 'pipe'] });
  let [stdout, output] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    output += text;
    printTo.write(text);
    log?.write(text);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stderr.write(text);
    log?.write(text);
  });
  const passOn = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of PASSED_ON) process.on(signal, passOn);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    // What we print next begins a line.
    if (stdout !== '' && !stdout.endsWith('\n')) printTo.write('\n');
    return { code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'], signal, stdout, output };
  } finally {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}
