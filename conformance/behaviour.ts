import { inject, test } from 'vitest';
import type { Extra, Need } from './emulator.ts';
import { NeedsLocalHost, toHost, type Host, type HostDescription } from './host.ts';
import { killAbandonedServers } from './server-process.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The host under test; `npm run conformance` provides it. */
    host: HostDescription;
  }
  interface TaskMeta {
    /** Where the behaviour is laid down. */
    source?: string;
    /** The behaviour failed as the host's list of gaps says it does. */
    gap?: boolean;
    /** The host is without what the behaviour needs. */
    notApplicable?: boolean;
  }
}

/** Shorter than the limit of the test runner, so that a behaviour that hangs is reported as one. */
const LIMIT_MS = 15_000;

/** For a gap, which often shows as a hang: still some times what a behaviour takes that starts a server of its own. */
const GAP_LIMIT_MS = 5_000;

/** Where a behaviour is laid down, and what it needs of a host. */
export interface BehaviourSource {
  /**
   * The row of the specification, the decision, the section of a standard, or the case in the survey of other adapters
   * (see README.md) that asks for it.
   */
  source: string;
  /** What a host must have for the behaviour to mean anything there. Default: nothing. */
  needs?: Need;
  /** What it is a behaviour of, when few hosts have it. Default: of every host. */
  extra?: Extra;
}

/**
 * Declares one behaviour that every host must show.
 *
 * A host that lists it as a gap must fail it; when it passes there, the run fails until the gap is taken off the list.
 *
 * @param name – a sentence that continues "the host …".
 * @param from – its source, and what it needs; a string is the source alone.
 */
export function behaviour(name: string, from: string | BehaviourSource, run: (host: Host) => Promise<void>): void {
  const { source, needs, extra } = typeof from === 'string' ? { source: from } : from;
  test(name, { meta: { source } }, async ({ task, skip }) => {
    const description = inject('host');
    if (description === undefined) throw new Error('No host is given. Run the suite with: npm run conformance');
    if (extra !== undefined && !description.extras.includes(extra)) skip(`${description.name} has no ${extra}.`);
    const leaveOut = (reason: string): never => {
      task.meta.notApplicable = true;
      return skip(reason);
    };
    const lack = description.lacks.find(({ what }) => what === needs);
    if (lack !== undefined) leaveOut(lack.reason);
    const gap = description.gaps.find((entry) => entry.behaviour === name);
    const limitMs = gap === undefined ? LIMIT_MS : GAP_LIMIT_MS;
    const attempt = within(limitMs, run(toHost(description))).finally(killAbandonedServers);
    const failure = await attempt.then(
      () => undefined,
      (error: Error) => error,
    );
    if (failure instanceof NeedsLocalHost) leaveOut(failure.message);
    if (failure !== undefined && gap === undefined) throw failure;
    if (gap === undefined) return;

    if (failure === undefined) {
      // What the emulator of a host cannot show, the host itself may.
      if (description.local === undefined) return;
      throw new Error(`${description.name} now shows "${name}": remove this gap from its emulator.ts (${gap.reason}).`);
    }
    task.meta.gap = true;
  });
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing happened for ${limitMs} ms.`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
