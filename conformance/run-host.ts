import type { Emulator } from './emulator.ts';
import type { BehaviourResult } from './generic/results.ts';
import { folderOf, hasShutdown } from './host.ts';
import type { HostResult } from './host-result.ts';
import type { PreparedHost } from './hosts.ts';
import { runInThread } from './run-in-thread.ts';
import type { SuiteOptions } from './run-suite.ts';
import { startServer } from './server-process.ts';
import { smoke, smokePattern } from './smoke.ts';

/** Starts a host, runs the suite against it, and stops it. */
export async function runHost(
  emulator: Emulator,
  prepared: PreparedHost,
  options: SuiteOptions = {},
): Promise<HostResult> {
  const { app, only, topics = [] } = options;
  const local = { ...prepared.local, app };
  const server = await startServer({ ...local, folder: folderOf(local.folders, app ?? 'app') });
  const host = { ...prepared, local, origin: server.origin };
  const result = await runInThread({ host, options: toAsked(emulator, options) }).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  // A renamed behaviour would silently no longer run.
  const isWhole = app === undefined && only === undefined && topics.length === 0;
  if (isWhole && !emulator.isSecondOpinion) result.problems.push(...gapsWithoutBehaviour(emulator, result.behaviours));
  const isShort = emulator.isSecondOpinion && !emulator.topics && isWhole && result.behaviours.length !== smoke.length;
  if (isShort) result.problems.push(`${result.behaviours.length} of the ${smoke.length} behaviours of smoke.ts ran.`);
  if (emulator.cli === undefined && !hasShutdown(host)) {
    await server.kill();
    return { emulator, ...result };
  }
  const { code, output } = await server.stop();
  if (code !== 0) result.problems.push(`The server ended with ${code} on SIGTERM. It printed:\n${output.slice(-2000)}`);
  return { emulator, ...result };
}

/** The parts of the suite that apply to a host. */
function toAsked({ isSecondOpinion, topics }: Emulator, options: SuiteOptions): SuiteOptions {
  if (!isSecondOpinion || options.only !== undefined) return options;
  if (!topics) return { ...options, only: smokePattern() };
  const wanted = options.topics ?? [];
  return wanted.length === 0 ? { ...options, topics } : options;
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
