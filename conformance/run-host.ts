import { join } from 'node:path';
import { startVitest, type TestCase } from 'vitest/node';
import type { Emulator } from './emulator.ts';
import type { PreparedHost } from './hosts.ts';
import type { BehaviourResult, HostResult } from './results.ts';
import { startServer } from './server-process.ts';

/** Starts a host, runs the suite against it and stops it. */
export async function runHost(emulator: Emulator, host: PreparedHost, only?: string): Promise<HostResult> {
  const server = await startServer({ ...host, folder: host.folders.app });
  const behaviours: BehaviourResult[] = [];
  const problems: string[] = [];
  try {
    const vitest = await startVitest([], {
      config: join(import.meta.dirname, 'vitest.config.ts'),
      root: import.meta.dirname,
      run: true,
      watch: false,
      provide: { host: { ...host, origin: server.origin } },
      reporters: [['default', { summary: false }]],
      ...(only === undefined ? {} : { testNamePattern: only }),
    });
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
  if (only === undefined) problems.push(...gapsWithoutBehaviour(emulator, behaviours));
  return { emulator, behaviours, problems };
}

function toResult(topic: string, test: TestCase): BehaviourResult[] {
  const { state } = test.result();
  const { source = '', gap = false, notApplicable = false } = test.meta();
  if (notApplicable) return [{ topic, name: test.name, source, state: 'not-applicable' }];
  // Left out by --only, or of an extra that the host has not.
  if (state === 'skipped' || state === 'pending') return [];
  return [{ topic, name: test.name, source, state: state === 'passed' && gap ? 'gap' : state }];
}

function gapsWithoutBehaviour({ name, gaps }: Emulator, behaviours: readonly BehaviourResult[]): string[] {
  const applicable = behaviours.filter(({ state }) => state !== 'not-applicable');
  const names = new Set(applicable.map((behaviour) => behaviour.name));
  return gaps
    .filter((gap) => !names.has(gap.behaviour))
    .map(
      (gap) =>
        `The gap "${gap.behaviour}" of ${name} names no behaviour that the suite runs there. Correct or remove it.`,
    );
}
