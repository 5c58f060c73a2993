import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { endGroup, spawnGroup } from '../conformance/generic/process-group.ts';

/** One command of a longer run. */
export interface Step {
  /** The name that the line in front of its output shows. */
  name: string;
  command: readonly [string, ...string[]];
}

/** The outcome of a {@link Step}. */
export interface StepResult {
  name: string;
  passed: boolean;
  /** Standard output and error, in the order in which they arrived. */
  output: string;
  seconds: number;
}

/** The environment of a step. Default: the environment of this process. */
export interface StepOptions {
  env?: NodeJS.ProcessEnv;
  /** A folder for its temporary files. A file that the step leaves there is a failure. */
  temporary?: string;
  /** Whether to show the output as it arrives. Default: false. */
  live?: boolean;
}

/** What other programs cache there: Node its compiled code, Vercel's command the latest version that it knows of. */
const CACHES = new Set(['node-compile-cache', 'update-check']);

/** Runs a command to its end, and keeps its output. None of its processes runs on when this process is killed. */
export async function runStep(
  { name, command }: Step,
  { env = process.env, temporary, live = false }: StepOptions = {},
): Promise<StepResult> {
  const started = performance.now();
  if (temporary !== undefined) await mkdir(temporary, { recursive: true });
  const child = spawnGroup(command, {
    folder: process.cwd(),
    env: { ...env, ...(temporary === undefined ? {} : { TMPDIR: temporary }) },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (live) process.stdout.write(text);
    });
  }
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', (error) => (output += `${error.message}\n`)).once('close', resolve);
  });
  await endGroup(child);
  const left = temporary === undefined ? [] : (await readdir(temporary)).filter((file) => !CACHES.has(file));
  for (const file of left) output += `FAIL ${name} left ${path.join(temporary ?? '', file)} behind\n`;
  const seconds = (performance.now() - started) / 1000;
  return { name, passed: code === 0 && left.length === 0, output, seconds };
}

/** Reads the last summary of a step: Vitest's `Tests …` line or `N passed, N failed`. */
export function countTests(output: string): { passed: number; failed: number } {
  const lines = stripVTControlCharacters(output).split('\n');
  const summary =
    lines.findLast((line) => /^\s*Tests\s.*\d+ (?:passed|failed)|^\d+ passed, \d+ failed/.test(line)) ?? '';
  return {
    passed: Number(/(\d+) passed/.exec(summary)?.[1] ?? 0),
    failed: Number(/(\d+) failed/.exec(summary)?.[1] ?? 0),
  };
}

/**
 * The lines that name what failed, each with the next line, which says why. For a step that names nothing, its last
 * lines.
 */
export function findFailures(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isFailure = (line = ''): boolean => /^(?:\S+: )?FAIL(?:ED)? /.test(line);
  const named = lines.filter((line, index) => isFailure(line) || isFailure(lines[index - 1]));
  return named.length > 0 ? named.slice(0, 40) : lines.slice(-30);
}
