import { describeReason } from '../behaviour.ts';
import { messageOf } from '../message-of.ts';
import { NotApplicable } from '../not-applicable.ts';
import type { BehaviourResult, Outcome } from '../results.ts';
import { toServer } from '../server.ts';
import { askForHello } from './tested-server.ts';
import type { TestedServer } from './tested-server.ts';
import type { TopicBehaviour } from './topics.ts';

/** How to run behaviours. */
export interface RunOptions {
  /** Everything random in a behaviour follows from it. */
  seed: number;
  /** How long one behaviour may take. */
  limitMs: number;
  /** Called with each result as it comes. */
  ended(result: BehaviourResult): void;
}

/** Runs behaviours against a server, one after the other, and starts it again when one has ended it. */
export async function runBehaviours(
  behaviours: readonly TopicBehaviour[],
  server: TestedServer,
  { seed, limitMs, ended }: RunOptions,
): Promise<Outcome> {
  const results: BehaviourResult[] = [];
  const at = toServer({
    name: server.url.host,
    seed,
    origin: server.url.origin,
    basePath: server.url.pathname.replace(/\/$/, ''),
  });
  const attempt = async (behaviour: TopicBehaviour): Promise<BehaviourResult> => {
    const { topic, name, reason } = behaviour;
    const startedAt = performance.now();
    const failure = await failureOf(behaviour.run(at), limitMs);
    const milliseconds = Math.round(performance.now() - startedAt);
    const result = { topic, name, source: describeReason(reason), milliseconds };
    if (failure === null) return { ...result, state: 'passed' };
    if (failure.thrown instanceof NotApplicable) {
      return { ...result, state: 'not-applicable', error: failure.thrown.message };
    }
    const stack = failure.thrown instanceof Error ? failure.thrown.stack : undefined;
    return { ...result, state: 'failed', error: messageOf(failure.thrown), stack };
  };
  // A behaviour may end the server a moment after its last response.
  const lost = async (): Promise<string | null> => {
    const answer = (await askForHello(server.url, limitMs)) ?? (await askForHello(server.url, limitMs));
    // Its connections are closed before the reason of its end is known.
    const end = await server.end(answer === null ? 0 : 2_000);
    return end === null ? answer : `the server ended: ${end}`;
  };

  for (const [index, behaviour] of behaviours.entries()) {
    let result = await attempt(behaviour);
    let loss = await lost();
    if (loss !== null && server.restart !== undefined) {
      await server.restart();
      // The previous behaviour may have ended it: this one runs again, on a fresh server.
      const again = await attempt(behaviour);
      const lossAgain = await lost();
      const previous = results.at(-1);
      if (lossAgain === null && previous !== undefined) {
        blame(previous, loss);
        ended(previous);
        [result, loss] = [again, null];
      } else {
        await server.restart();
      }
    }
    if (loss !== null) blame(result, loss);
    results.push(result);
    ended(result);
    if (loss !== null && server.restart === undefined) {
      const left = behaviours.length - index - 1;
      const problem = `The server has not answered since "${behaviour.name}": ${left} behaviours were not asked for.`;
      return { behaviours: results, problems: [problem] };
    }
  }
  return { behaviours: results, problems: [] };
}

function blame(result: BehaviourResult, loss: string): void {
  const before = result.state === 'failed' ? `${result.error}\n` : '';
  Object.assign(result, { state: 'failed', lostServer: true, error: `${before}After that, ${loss}` });
}

/** The work's failure, or null. It may continue after its limit: nothing waits for it then. */
async function failureOf(work: Promise<void>, limitMs: number): Promise<{ thrown: unknown } | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<{ thrown: unknown }>((resolve) => {
    const thrown = new Error(`It still waited after ${limitMs / 1000} s.`);
    timer = setTimeout(() => resolve({ thrown }), limitMs);
  });
  const failure = work.then(
    () => null,
    (thrown: unknown) => ({ thrown }),
  );
  try {
    return await Promise.race([failure, limit]);
  } finally {
    clearTimeout(timer);
  }
}
