import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { messageOf } from './generic/message-of.ts';
import type { BehaviourResult, Outcome } from './generic/results.ts';
import type { AppName, HostDescription } from './host.ts';
import { loadBehaviours } from './load-behaviours.ts';
import type { TopicBehaviour } from './load-behaviours.ts';
import { createSharedServers } from './shared-servers.ts';
import { tryBehaviour } from './try-behaviour.ts';

/** Which part of the suite to run, and how. Plain data. Default: all of it. */
export interface SuiteOptions {
  /** A pattern that the names of behaviours must match. */
  only?: string | undefined;
  /** The files of the suite and of the generic behaviours, without their extensions. */
  topics?: readonly string[] | undefined;
  /**
   * Determines everything random, and the order of the behaviours. Default: 1, and the order in which they are written.
   */
  seed?: number | undefined;
  /** The app under test. Others than `app` have only what is generic. Default: `app`. */
  app?: AppName | undefined;
}

/** Asks a running host for behaviours, one after the other. */
export async function runSuite(description: Omit<HostDescription, 'seed'>, options: SuiteOptions): Promise<Outcome> {
  const host = { ...description, seed: options.seed ?? 1 };
  const behaviours: BehaviourResult[] = [];
  const problems: string[] = [];
  const noteUnhandled = (error: unknown): void => void problems.push(`Unhandled in the suite: ${messageOf(error)}`);
  process.on('unhandledRejection', noteUnhandled).on('uncaughtException', noteUnhandled);
  const shared = createSharedServers();
  try {
    for (const behaviour of choose(await loadBehaviours(), host, options)) {
      behaviours.push(await tryBehaviour(behaviour, host, shared));
    }
  } finally {
    await shared.killAll();
    // What was rejected last is told at the end of this turn.
    await turn();
    process.off('unhandledRejection', noteUnhandled).off('uncaughtException', noteUnhandled);
  }
  return { behaviours, problems };
}

function choose(
  all: readonly TopicBehaviour[],
  { extras }: HostDescription,
  { only = '', topics = [], seed, app }: SuiteOptions,
): readonly TopicBehaviour[] {
  const pattern = new RegExp(only);
  const chosen = all.filter(
    ({ name, topic, isGeneric, extra }) =>
      pattern.test(name) &&
      (topics.length === 0 || topics.includes(topic)) &&
      (app === undefined || isGeneric) &&
      (extra === undefined || extras.includes(extra)),
  );
  if (seed === undefined) return chosen;
  const rank = ({ name }: TopicBehaviour): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
  return chosen.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
