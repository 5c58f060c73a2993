import { inject, test as base } from 'vitest';
import type { Extra, Need } from './emulator.ts';
import { assertFailsAs, failureOf, fuse, whileAnswering } from './gap.ts';
import { NotApplicable } from './generic/not-applicable.ts';
import { toHost } from './host.ts';
import type { Host, HostDescription } from './host.ts';
import { killAbandonedServers, startsOver } from './server-process.ts';
import { createSharedServers } from './shared-servers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The host under test; `npm run conformance` provides it. */
    host: HostDescription;
  }
  interface TaskMeta {
    /** The specification of the behaviour. */
    source?: string;
    /** The behaviour failed as the host's list of gaps predicts. */
    gap?: boolean;
    /** The host does not have what the behaviour needs. */
    notApplicable?: boolean;
  }
}

/** Shorter than the test runner's limit, so that a hanging behaviour is reported as such. */
const LIMIT_MS = 60_000;

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern what a fixture needs: nothing.
const test = base.extend('sharedServers', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const servers = createSharedServers();
  onCleanup(() => servers.killAll());
  return servers;
});

/** The specification of a behaviour, and what it needs from a host. */
export interface BehaviourSource {
  /**
   * The row of the specification, the decision, the section of a standard, or the case in the survey of other adapters
   * (see README.md) that asks for it.
   */
  source: string;
  /** What a host must have for the behaviour to mean anything. Default: nothing. */
  needs?: Need | readonly Need[];
  /** The extra that it is a behaviour of, if few hosts have it. Default: it applies to every host. */
  extra?: Extra;
}

/**
 * Declares one behaviour that every host must show.
 *
 * A host that lists it as a gap must fail it, with the failure that the gap names; when it passes there, the run fails
 * until the gap is removed from the list.
 *
 * @param name – a sentence that continues "the host …".
 * @param from – its source, and what it needs; a string is just the source.
 */
export function behaviour(name: string, from: string | BehaviourSource, run: (host: Host) => Promise<void>): void {
  const { source, needs, extra } = typeof from === 'string' ? { source: from } : from;
  test(name, { meta: { source } }, async ({ task, skip, sharedServers }) => {
    const description = inject('host');
    if (description === undefined) throw new Error('No host is given. Run the suite with: npm run conformance');
    if (extra !== undefined && !description.extras.includes(extra)) skip(`${description.name} has no ${extra}.`);
    const leaveOut = (reason: string): never => {
      task.meta.notApplicable = true;
      return skip(reason);
    };
    const lack = description.lacks.find(({ what }) => [needs].flat().includes(what));
    if (lack !== undefined) leaveOut(lack.reason);
    const gap = description.gaps.find((entry) => entry.behaviour === name);
    const host = toHost(description, sharedServers);
    const wholeLimit = fuse(description.limitMs ?? LIMIT_MS);
    const limit =
      gap?.fails === 'time-out'
        ? whileAnswering((signal) => host.fetch('/hello', { signal }), { started: startsOver, within: wholeLimit })
        : wholeLimit;
    const failure = await failureOf(run(host), limit);
    await killAbandonedServers();
    // A server that was misused, or hangs, is not for other behaviours.
    await (failure === undefined ? sharedServers.keepUsed() : sharedServers.killUsed());
    if (failure instanceof NotApplicable) leaveOut(failure.message);
    if (gap === undefined) {
      if (failure !== undefined) throw failure;
      return;
    }
    // A host's emulator may not show a behaviour that the host itself shows, or fail in another way.
    const isDeployed = description.local === undefined;
    if (failure === undefined) {
      if (isDeployed) return;
      throw new Error(`${description.name} now shows "${name}": remove this gap from its emulator.ts (${gap.reason}).`);
    }
    if (!isDeployed) assertFailsAs(gap, failure);
    task.meta.gap = true;
  });
}
