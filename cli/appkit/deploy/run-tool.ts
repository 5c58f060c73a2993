import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { ToolCommand } from './find-tool.ts';

/** The result of running a tool. */
export interface ToolResult {
  /** Its exit code, or what a shell would report if a signal has ended it. */
  code: number;
  signal: NodeJS.Signals | null;
  /** Its standard output. */
  stdout: string;
  /** Its standard output and standard error. */
  output: string;
}

const PASSED_ON = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs a tool and shows its output as it arrives. It may ask the user questions. Signals that ask us to end are passed
 * on to it, so that it can finish what it has begun.
 *
 * @param options – `printTo`: where its standard output is shown. `log`: a second place for all its output.
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
    // Our next output starts on a new line.
    if (stdout !== '' && !stdout.endsWith('\n')) printTo.write('\n');
    return { code: code ?? 128 + constants.signals[signal ?? 'SIGTERM'], signal, stdout, output };
  } finally {
    for (const signal of PASSED_ON) process.off(signal, passOn);
  }
}
