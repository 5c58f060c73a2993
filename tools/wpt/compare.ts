import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import path from 'node:path';
import type { Subtest } from './run-file.ts';

/** The results of a folder's Web Platform Tests with the light classes and with the platform's. */
export interface Comparison {
  files: number;
  subtests: number;
  /** How many of them the platform itself passes. */
  passedNatively: number;
  /** Each subtest with a different result. */
  differences: string[];
}

/** A file that prints nothing for this long hangs. */
const LIMIT_MS = 60_000;

/**
 * Runs each `*.any.js` below a folder twice.
 *
 * @param folder – a checkout of the Web Platform Tests, or a part of it that has `resources/testharness.js`.
 * @throws Error when there is no harness or no test.
 */
export async function compareBuilds(folder: string): Promise<Comparison> {
  const harness = path.join(folder, 'resources/testharness.js');
  if (!existsSync(harness)) {
    throw new Error(`There is no ${harness}. Give the folder of a checkout of the Web Platform Tests, as it is.`);
  }
  const files: string[] = [];
  for await (const file of glob('**/*.any.js', { cwd: folder })) files.push(file);
  if (files.length === 0) throw new Error(`There is no test in ${folder}: its names end with .any.js.`);
  const result: Comparison = { files: files.length, subtests: 0, passedNatively: 0, differences: [] };
  for (const file of files.toSorted()) {
    const [native, light] = await Promise.all([run(folder, file, 'native'), run(folder, file, 'light')]);
    result.subtests += native.size;
    for (const name of new Set([...native.keys(), ...light.keys()])) {
      const [one, other] = [native.get(name), light.get(name)];
      if (one?.status === 0) result.passedNatively += 1;
      if (one?.status !== other?.status) {
        result.differences.push(`${file}: ${name}: native ${describe(one)}, light ${describe(other)}`);
      }
    }
  }
  return result;
}

async function run(folder: string, file: string, kind: 'native' | 'light'): Promise<Map<string, Subtest>> {
  const child = fork(path.join(import.meta.dirname, 'run-file.ts'), [folder, file, kind], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: LIMIT_MS,
  });
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const subtests = await new Promise<Subtest[]>((resolve) => {
    child.once('message', (message) => resolve(message as Subtest[]));
    child.once('exit', (code, signal) =>
      resolve([{ name: 'the file', status: -1, message: `ended with ${code ?? signal}: ${errors.slice(-300)}` }]),
    );
  });
  return new Map(subtests.map((subtest) => [subtest.name, subtest]));
}

function describe(subtest: Subtest | undefined): string {
  if (!subtest) return 'did not run it';
  return subtest.status === 0 ? 'passes' : `fails (${subtest.message?.split('\n')[0] ?? 'no message'})`;
}
