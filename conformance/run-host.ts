import { join } from 'node:path';
import { startVitest, type TestCase } from 'vitest/node';
import type { Emulator } from './emulator.ts';
import type { PreparedHost } from './hosts.ts';
import type { BehaviourResult, HostResult } from './results.ts';
import { startServer } from './server-process.ts';

/** Which part of the suite to run, and how. Default: all of it, printing what fails. */
export interface SuiteOptions {
  /** A pattern that the names of behaviours must match. */
  only?: string | undefined;
  /** The files of the suite, without `.test.ts`. */
  topics?: readonly string[] | undefined;
  /** Prints nothing. */
  quiet?: boolean | undefined;
}

/** Starts a host, runs the suite against it and stops it. */
export async function runHost(
  emulator: Emulator,
  host: PreparedHost,
  { only, topics = [], quiet = false }: SuiteOptions = {},
): Promise<HostResult> {
  const server = await startServer({ ...host, folder: host.folders.app });
  const behaviours: BehaviourResult[] = [];
  const problems: string[] = [];
  try {
    const vitest = await startVitest(
      topics.map((topic) => `suite/${topic}.test.ts`),
      {
        config: join(import.meta.dirname, 'vitest.config.ts'),
        root: import.meta.dirname,
        run: true,
        watch: false,
        provide: { host: { ...host, origin: server.origin } },
        reporters: quiet ? [{}] : [['default', { summary: false }]],
        ...(only === undefined ? {} : { testNamePattern: only }),
      },
    );
    for (const module of vitest.state.getTestModules()) {
      problems.push(...module.errors().map((error) => `${module.relativeModuleId}: ${error.message}`));
      const topic = module.relativeModuleId.replace(/^.*\/|\.test\.ts$/g, '');
      behaviours.push(...[...module.children.allTests()].flatMap((test) => toResult(topic, test)));
    }
    problems.push(...vitest.state.getUnhandledErrors().map((error) => `Unhandled in the suite: ${String(error)}`));
    await vitest.close();
  } finally {
    const exit = await server.stop();
    if (exit.code !== 0)
      problems.push(`The server ended with ${exit.code} on SIGTERM. It printed:\n${exit.output.slice(-2000)}`);
  }
  if (behaviours.length === 0) problems.push('No behaviour ran.');
  if (only === undefined && topics.length === 0) problems.push(...gapsWithoutBehaviour(emulator, behaviours));
  return { emulator, behaviours, problems };
}

function toResult(topic: string, test: TestCase): BehaviourResult[] {
  const { state } = test.result();
  if (state === 'skipped' || state === 'pending') return [];
  const { source = '', gap = false } = test.meta();
  return [{ topic, name: test.name, source, state: state === 'passed' && gap ? 'gap' : state }];
}

function gapsWithoutBehaviour({ name, gaps }: Emulator, behaviours: readonly BehaviourResult[]): string[] {
  const names = new Set(behaviours.map((behaviour) => behaviour.name));
  return gaps
    .filter((gap) => !names.has(gap.behaviour))
    .map((gap) => `The gap "${gap.behaviour}" of ${name} names no behaviour of the suite. Correct or remove it.`);
}
