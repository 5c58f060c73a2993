import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inject, TestRunner, vi } from 'vitest';
import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';
import { startTests } from 'vitest/internal/browser';
import type { Entry, Plan } from './log.ts';

// Starting a process per mutant takes most of a run's time. Here each test file has one process: it runs normally,
// which shows which test reaches which mutant, and then again for each mutant, with the tests that reach it.

declare module 'vitest' {
  interface ProvidedContext {
    mutationFolder: string;
  }
}

/** What the instrumented code reads and writes: https://stryker-mutator.io/docs/mutation-testing-elements/static-mutants */
interface Switches {
  activeMutant?: string | undefined;
  /** Without this, code that is reached counts as reached while modules load. */
  currentTestId?: string | undefined;
  hitCount?: number;
  hitLimit?: number;
  mutantCoverage?: { static: Record<string, number>; perTest: Record<string, Record<string, number>> };
}

interface RunOptions {
  mutant?: string;
  isStatic?: boolean;
  /** After reaching the mutant this many times, the code throws: it may be an endless loop. */
  hitLimit?: number;
  /** Goes on after a test has failed. */
  isPatient?: boolean;
}

// Tests replace it.
const realTimeout = globalThis.setTimeout;
const switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {});
const HOOKS = 'hooks';

class CoveringRunner extends TestRunner {
  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    switches.currentTestId = undefined;
    return super.importFile(filepath, source);
  }

  override async onBeforeRunSuite(suite: Parameters<TestRunner['onBeforeRunSuite']>[0]): Promise<void> {
    switches.currentTestId = HOOKS;
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(test);
    switches.currentTestId = test.id;
  }

  override onAfterRunTask(test: RunnerTask): void {
    switches.currentTestId = HOOKS;
    super.onAfterRunTask(test);
  }
}

/** Runs some tests of a file, and reports nothing. */
class QuietRunner extends CoveringRunner {
  failed: string[] = [];
  isPatient = false;

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    if (this.failed.length > 0 && !this.isPatient) test.mode = 'skip';
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTask): void {
    if (test.result?.state === 'fail') this.failed.push(test.name);
    super.onAfterRunTask(test);
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest requires it
export default class MutationRunner extends CoveringRunner {
  /** Whether each run of the tests loads all modules again. */
  #isFresh = false;

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    super.onAfterRunFiles(files);
    for (const file of files) await this.#tryMutants(file);
  }

  async #tryMutants(file: RunnerTestFile): Promise<void> {
    const folder = inject('mutationFolder');
    const log = (entry: Entry): void =>
      appendFileSync(path.join(folder, `${process.pid}.jsonl`), `${JSON.stringify(entry)}\n`);
    const broken = testsOf(file).filter((test) => test.result?.state === 'fail');
    if (broken.length > 0) log({ is: 'broken', file: file.filepath, tests: broken.map(({ name }) => name) });

    const plan = JSON.parse(readFileSync(path.join(folder, 'plan.json'), 'utf8')) as Plan; // written by try-mutants.ts
    const own = file.filepath.replace(/\.test\.ts$/, '.ts');
    const coverage = switches.mutantCoverage ?? { static: {}, perTest: {} };
    // A few tests cannot run twice in a process: they have to be the first to do something.
    const passed = testsOf(file).filter((test) => test.result?.state === 'pass');
    this.#isFresh = false;
    let { failed: once } = await this.#run(file, passed, { isPatient: true });
    // A module that a test loads is evaluated in that test alone: what it decides then is not reached again.
    const again = Object.assign({}, ...Object.values(switches.mutantCoverage?.perTest ?? {})) as Record<string, number>;
    const isStatic = (mutant: string): boolean => mutant in coverage.static || !(mutant in again);
    // A module that was mocked in the first run may refer to the variables of that run.
    this.#isFresh = once.length > 0;
    if (this.#isFresh) ({ failed: once } = await this.#run(file, passed, { isPatient: true }));
    const tests = passed.filter(({ name }) => !once.includes(name));
    if (once.length > 0) log({ is: 'once', file: file.filepath, tests: once });
    const reached = new Map<string, RunnerTestCase[]>();
    for (const mutant of new Set([coverage.static, ...Object.values(coverage.perTest)].flatMap(Object.keys))) {
      const isEverywhere = isStatic(mutant) || mutant in (coverage.perTest[HOOKS] ?? {});
      if (plan.isOwnOnly && plan.fileOf[mutant] !== own) continue;
      reached.set(
        mutant,
        tests.filter(({ id }) => isEverywhere || mutant in (coverage.perTest[id] ?? {})),
      );
    }

    let known = readDecided(folder, file.filepath);
    let tried = 0;
    for (const [mutant, reaching] of reached) {
      // Another process may have killed this mutant meanwhile.
      if (tried % 10 === 0) known = readDecided(folder, file.filepath);
      if (known.has(mutant)) continue;
      tried++;
      const seconds = reaching.reduce((sum, test) => sum + durationOf(test), 0) / 1000;
      log({ is: 'started', file: file.filepath, mutant, fuseSeconds: 60 + seconds * 10 });
      const hits = Object.values(coverage.perTest).reduce((sum, counts) => sum + (counts[mutant] ?? 0), 0);
      const options = { mutant, isStatic: isStatic(mutant), hitLimit: 100 * hits + 10_000 };
      let by = (await this.#run(file, reaching, options)).failed[0];
      if (by !== undefined && !(await this.#passes(file, reaching, by))) {
        // This mutant, or an earlier one, has left something behind that makes the test fail.
        vi.resetModules();
        if (await this.#passes(file, reaching, by)) by = (await this.#run(file, reaching, options)).failed[0];
        else if (tried > 1) {
          log({ is: 'left', file: file.filepath, mutant });
          return;
        }
      }
      if (by === undefined) log({ is: 'survived', file: file.filepath, mutant });
      else log({ is: 'killed', file: file.filepath, mutant, by });
    }
    log({ is: plan.isOwnOnly ? 'done with its own' : 'done', file: file.filepath });
    // A mutant may have left timers that keep the process too busy to end when it is told to.
    realTimeout(() => process.kill(process.pid, 'SIGKILL'), 60_000).unref();
  }

  async #passes(file: RunnerTestFile, tests: readonly RunnerTestCase[], name: string): Promise<boolean> {
    const named = tests.filter((test) => test.name === name);
    return (await this.#run(file, named.length > 0 ? named : tests)).failed.length === 0;
  }

  async #run(
    file: RunnerTestFile,
    tests: readonly RunnerTestCase[],
    { mutant, isStatic = false, hitLimit = 0, isPatient = false }: RunOptions = {},
  ): Promise<QuietRunner> {
    const slowest = Math.max(0, ...tests.map(durationOf));
    const limit = Math.min(this.config.testTimeout, 5_000 + 4 * slowest);
    const runner = new QuietRunner({ ...this.config, testTimeout: limit, hookTimeout: limit });
    // Properties that Vitest sets on its runner after creating it.
    const own = this as unknown as { moduleRunner: unknown; _otel: unknown };
    Object.assign(runner, { moduleRunner: own.moduleRunner, _otel: own._otel, isPatient });
    // Coverage is not read any more, and would only grow.
    switches.mutantCoverage = { static: {}, perTest: {} };
    Object.assign(switches, { activeMutant: mutant, hitCount: 0, hitLimit });
    // Decisions made while modules load are made again.
    const isFresh = isStatic || this.#isFresh;
    if (isFresh) vi.resetModules();
    try {
      const [done] = await startTests([{ filepath: file.filepath, testIds: tests.map(({ id }) => id) }], runner);
      if (done?.result?.state === 'fail' && runner.failed.length === 0)
        runner.failed.push(done.result.errors?.[0]?.message ?? 'the file');
    } finally {
      switches.activeMutant = undefined;
      if (isFresh) vi.resetModules();
    }
    return runner;
  }
}

function testsOf(suite: { tasks: RunnerTask[] }): RunnerTestCase[] {
  return suite.tasks.flatMap((task) => (task.type === 'suite' ? testsOf(task) : [task]));
}

function durationOf(test: RunnerTestCase): number {
  return test.result?.duration ?? 0;
}

/** The mutants that any process has killed, and those that were tried with this file. */
function readDecided(folder: string, file: string): Set<string> {
  const decided = new Set<string>();
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n').slice(0, -1)) {
      const entry = JSON.parse(line) as Entry; // written by this file
      if (entry.is === 'killed' || entry.is === 'hung') decided.add(entry.mutant);
      if (entry.is === 'survived' && entry.file === file) decided.add(entry.mutant);
    }
  }
  return decided;
}
