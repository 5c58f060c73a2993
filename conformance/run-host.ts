import path from 'node:path';
import { startVitest } from 'vitest/node';
import type { TestCase } from 'vitest/node';
import type { Emulator } from './emulator.ts';
import { folderOf, hasShutdown } from './host.ts';
import type { AppName, HostDescription } from './host.ts';
import type { PreparedHost } from './hosts.ts';
import type { BehaviourResult, Outcome } from './generic/results.ts';
import type { HostResult } from './host-result.ts';
import { messageOf } from './generic/message-of.ts';
import { smoke, smokePattern } from './smoke.ts';
import { startServer } from './server-process.ts';

/** Which part of the suite to run, and how. Default: all of it, printing failures. */
export interface SuiteOptions {
  /** A pattern that the names of behaviours must match. */
  only?: string | undefined;
  /** The files of the suite and of the generic behaviours, without their extensions. */
  topics?: readonly string[] | undefined;
  /**
   * Determines everything random, and the order of the behaviours. Default: 1, and the order in which they are written.
   */
  seed?: number | undefined;
  /** The app under test. Default: `app`. */
  app?: AppName | undefined;
  /** Prints nothing. */
  quiet?: boolean | undefined;
}

/** Starts a host, runs the suite against it and stops it. */
export async function runHost(emulator: Emulator, host: PreparedHost, options: SuiteOptions = {}): Promise<HostResult> {
  const asked = toAsked(emulator, options);
  const local = { ...host.local, app: options.app };
  const server = await startServer({ ...local, folder: folderOf(local.folders, options.app ?? 'app') });
  const result = await runSuite({ ...host, local, origin: server.origin }, asked).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  // A renamed behaviour would silently no longer run.
  const isWhole = options.only === undefined && (options.topics ?? []).length === 0;
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

/** Runs the suite against a running host. */
export async function runSuite(
  host: Omit<HostDescription, 'seed'>,
  { only, topics = [], seed, app, quiet = false }: SuiteOptions = {},
): Promise<Outcome> {
  const behaviours: BehaviourResult[] = [];
  const problems: string[] = [];
  const vitest = await startVitest(toFiles(topics, app), {
    config: path.join(import.meta.dirname, 'vitest.config.ts'),
    root: import.meta.dirname,
    run: true,
    watch: false,
    provide: { host: { ...host, seed: seed ?? 1 } },
    sequence: seed === undefined ? {} : { shuffle: true, seed },
    reporters: quiet ? [{}] : [['default', { summary: false }]],
    ...(only === undefined ? {} : { testNamePattern: only }),
  });
  for (const module of vitest.state.getTestModules()) {
    problems.push(...module.errors().map((error) => `${module.relativeModuleId}: ${messageOf(error)}`));
    const topic = module.relativeModuleId.replace(/^.*\/|(?:\.test)?\.ts$/g, '');
    behaviours.push(...[...module.children.allTests()].flatMap((test) => toResult(topic, test)));
  }
  problems.push(...vitest.state.getUnhandledErrors().map((error) => `Unhandled in the suite: ${messageOf(error)}`));
  await vitest.close();
  if (behaviours.length === 0) problems.push('No behaviour ran.');
  if (host.local !== undefined && only === undefined && topics.length === 0) {
    problems.push(...gapsWithoutBehaviour(host, behaviours));
  }
  return { behaviours, problems };
}

/** Only generic behaviours apply to code with its own fetch. */
function toFiles(topics: readonly string[], app: AppName | undefined): string[] {
  const ofSuite = app === undefined ? topics.map((topic) => `suite/${topic}.test.ts`) : [];
  return [...ofSuite, ...topics.map((topic) => `generic/behaviours/${topic}.ts`)];
}

function toResult(topic: string, test: TestCase): BehaviourResult[] {
  const { state, errors } = test.result();
  const { source = '', gap = false, notApplicable = false } = test.meta();
  if (notApplicable) return [{ topic, name: test.name, source, state: 'not-applicable' }];
  // Left out by --only, or part of an extra that the host does not have.
  if (state === 'skipped' || state === 'pending') return [];
  const [error] = errors ?? [];
  return [
    {
      topic,
      name: test.name,
      source,
      state: state === 'passed' && gap ? 'gap' : state,
      milliseconds: Math.round(test.diagnostic()?.duration ?? 0),
      ...(error && { error: messageOf(error), stack: error.stack }),
    },
  ];
}

function gapsWithoutBehaviour(
  { name, gaps }: Omit<HostDescription, 'seed'>,
  behaviours: readonly BehaviourResult[],
): string[] {
  const applicable = behaviours.filter(({ state }) => state !== 'not-applicable');
  const names = new Set(applicable.map((behaviour) => behaviour.name));
  return gaps
    .filter((gap) => !names.has(gap.behaviour))
    .map(
      (gap) =>
        `The gap "${gap.behaviour}" of ${name} names no behaviour that the suite runs there. Correct or remove it.`,
    );
}
