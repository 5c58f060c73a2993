import { inspect } from 'node:util';
import { assertFailsAs, failureOf, fuse, timedOut, whileAnswering } from './gap.ts';
import { messageOf } from './generic/message-of.ts';
import { NotApplicable } from './generic/not-applicable.ts';
import type { BehaviourResult } from './generic/results.ts';
import { toHost } from './host.ts';
import type { HostDescription } from './host.ts';
import type { TopicBehaviour } from './load-behaviours.ts';
import { killAbandonedServers, startsOver } from './server-process.ts';
import type { SharedServers } from './shared-servers.ts';

/** A fuse: a behaviour that takes this long on the slowest machine hangs. */
const LIMIT_MS = 180_000;

/** Asks a host for one behaviour. Leaves no server behind, except shared ones that still answer. */
export async function tryBehaviour(
  behaviour: TopicBehaviour,
  description: HostDescription,
  shared: SharedServers,
): Promise<BehaviourResult> {
  const { topic, name, source, needs = [] } = behaviour;
  const startedAt = performance.now();
  const end = (state: BehaviourResult['state'], failure?: unknown): BehaviourResult => ({
    topic,
    name,
    source,
    state,
    milliseconds: Math.round(performance.now() - startedAt),
    ...(failure !== undefined && { error: messageOf(failure), stack: describe(failure) }),
  });
  if (description.lacks.some(({ what }) => [needs].flat().includes(what))) return end('not-applicable');

  const host = toHost(description, shared);
  const gap = description.gaps.find((entry) => entry.behaviour === name);
  const wholeLimit = fuse(description.limitMs ?? LIMIT_MS);
  const limit =
    gap?.fails === 'time-out'
      ? whileAnswering((signal) => host.fetch('/hello', { signal }), { started: startsOver, within: wholeLimit })
      : wholeLimit;
  const failure = await failureOf(behaviour.run(host), limit);
  await killAbandonedServers();
  const result = judge();
  // A server that was misused, or hangs, is not for other behaviours.
  await (result.state === 'failed' || failure === timedOut ? shared.killUsed() : shared.keepUsed());
  return result;

  function judge(): BehaviourResult {
    if (failure instanceof NotApplicable) return end('not-applicable');
    if (gap === undefined) return failure === undefined ? end('passed') : end('failed', failure);

    // A host's emulator may not show a behaviour that the host itself shows, or fail in another way.
    const isDeployed = description.local === undefined;
    if (failure === undefined) {
      if (isDeployed) return end('passed');
      const known = `${description.name} now shows "${name}": remove this gap from its emulator.ts (${gap.reason}).`;
      return end('failed', new Error(known));
    }
    try {
      if (!isDeployed) assertFailsAs(gap, failure);
      return end('gap');
    } catch (otherFailure) {
      return end('failed', otherFailure);
    }
  }
}

/** The stack of a failure, and the values that were compared. */
function describe(failure: unknown): string | undefined {
  if (!(failure instanceof Error)) return undefined;
  const { stack = '', actual, expected } = failure as Error & { actual?: unknown; expected?: unknown };
  if (actual === undefined && expected === undefined) return stack;
  return `${stack}\nexpected: ${inspect(expected, { depth: 5 })}\nreceived: ${inspect(actual, { depth: 5 })}`;
}
