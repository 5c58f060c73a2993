import { appendFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';
import type { TestSpecification, Vitest } from 'vitest/node';
import { leftOut, otherTests } from './areas.ts';
import type { Mutant } from './instrument.ts';
import { readLogs } from './log.ts';
import type { Entry, Plan } from './log.ts';
import type { End } from './report.ts';

/** Runs the tests of mutants. `broken` names the tests that fail without one. */
export async function tryMutants({
  root,
  code,
  mutants,
  tests,
  folder,
  workers,
}: {
  root: string;
  code: ReadonlyMap<string, string>;
  mutants: readonly Mutant[];
  /** Globs, from the root. */
  tests: readonly string[];
  folder: string;
  workers: number;
}): Promise<{ ends: Map<string, End>; broken: string[] }> {
  const started = performance.now();
  const vitest = await createVitest(
    {
      root,
      config: false,
      watch: false,
      include: [...tests],
      exclude: [...otherTests],
      testNamePattern: new RegExp(`^(?!.*(?:${leftOut.join('|')}))`),
      related: [...code.keys()],
      runner: path.join(import.meta.dirname, 'runner.ts'),
      pool: 'forks',
      // The cache would keep the mutants for the next run, and not know about others.
      fsModuleCache: false,
      maxWorkers: workers,
      sequence: { sequencer: QuickestFirst },
      // Instrumented code is slower.
      testTimeout: 60_000,
      hookTimeout: 60_000,
      // As with the command of Vitest and vitest.config.ts.
      env: { NODE_ENV: 'test' },
      unstubEnvs: true,
      unstubGlobals: true,
      provide: { mutationFolder: folder },
      // Failures are the purpose here.
      reporters: [
        {
          onTestModuleEnd: ({ relativeModuleId }) =>
            console.log(`${relativeModuleId}: ${Math.round((performance.now() - started) / 1000)} s after the start`),
        },
      ],
      onConsoleLog: () => false,
      dangerouslyIgnoreUnhandledErrors: true,
    },
    {
      plugins: [
        {
          name: 'appkit:mutants',
          enforce: 'pre',
          load: (id) => code.get(id),
        },
      ],
    },
  );
  const fuse = setInterval(() => void endHung(folder), 2000);
  try {
    const all = await vitest.getRelevantTestSpecifications();
    // Mutants killed by the test next to the code need not be tried with all the other tests that reach them.
    const beside = all.filter(({ moduleId }) => code.has(moduleId.replace(/\.test\.ts$/, '.ts')));
    const plan: Plan = {
      isOwnOnly: true,
      fileOf: Object.fromEntries(mutants.map(({ id, file }) => [id, path.join(root, file)])),
    };
    await runAll(vitest, beside, { folder, plan });
    await runAll(vitest, all, { folder, plan: { ...plan, isOwnOnly: false } });
  } finally {
    clearInterval(fuse);
    await vitest.close();
  }
  return summarize([...(await readLogs(folder)).values()].flat());
}

/** Vitest begins with the longest file. Here most mutants are killed before the long ones, which are long for each. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toReversed();
  }
}

async function runAll(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
  { folder, plan }: { folder: string; plan: Plan },
): Promise<void> {
  await writeFile(path.join(folder, 'plan.json'), JSON.stringify(plan));
  const wanted = plan.isOwnOnly ? 'done with its own' : 'done';
  let waiting = specifications;
  while (waiting.length > 0) {
    await vitest.runTestSpecifications([...waiting]);
    await noteLost(folder);
    const entries = [...(await readLogs(folder)).values()].flat();
    const over = new Set(entries.filter(({ is }) => is === wanted).map(({ file }) => file));
    const left = waiting.filter(({ moduleId }) => !over.has(moduleId));
    assertProgress(vitest, left, entries);
    waiting = left;
  }
}

// A process that ends before its first line cannot be continued.
function assertProgress(vitest: Vitest, left: readonly TestSpecification[], entries: readonly Entry[]): void {
  const lost = left.find(({ moduleId }) => !entries.some(({ file }) => file === moduleId));
  if (lost === undefined) return;
  const errors = vitest.state.getUnhandledErrors().map(String);
  throw new Error(`${lost.moduleId} could not be run with mutants: ${errors.join('\n')}`);
}

/** Ends processes that have spent too long on one mutant: an endless loop lets no timer run. */
async function endHung(folder: string): Promise<void> {
  for (const [pid, entries] of await readLogs(folder)) {
    const last = entries.at(-1);
    if (last?.is !== 'started') continue;
    const begun = starts.get(pid);
    if (begun?.mutant !== last.mutant) starts.set(pid, { mutant: last.mutant, at: performance.now() });
    else if (performance.now() - begun.at > last.fuseSeconds * 1000) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has ended by itself: a loop may have filled its memory.
      }
      await noteHung(folder, pid, last);
    }
  }
}

/**
 * Records the mutants at which a process has ended by itself, once no process runs any more: otherwise they would be
 * tried again without end.
 */
async function noteLost(folder: string): Promise<void> {
  for (const [pid, entries] of await readLogs(folder)) {
    const last = entries.at(-1);
    if (last?.is === 'started') await noteHung(folder, pid, last);
  }
}

async function noteHung(folder: string, pid: number, { file, mutant }: Entry & { is: 'started' }): Promise<void> {
  const entry: Entry = { is: 'hung', file, mutant };
  await appendFile(path.join(folder, `${pid}.jsonl`), `${JSON.stringify(entry)}\n`);
}

const starts = new Map<number, { mutant: string; at: number }>();

function summarize(entries: readonly Entry[]): { ends: Map<string, End>; broken: string[] } {
  const ends = new Map<string, End>();
  const broken = new Set<string>();
  for (const entry of entries) {
    if (entry.is === 'broken') broken.add(`${entry.file}: ${entry.tests.join(', ')}`);
    else if (entry.is === 'killed' || entry.is === 'hung') ends.set(entry.mutant, 'killed');
    else if (entry.is === 'survived' && !ends.has(entry.mutant)) ends.set(entry.mutant, 'survived');
  }
  return { ends, broken: [...broken] };
}
