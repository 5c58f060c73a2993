import { inject, test } from 'vitest';
import { toHost, type Host, type HostDescription } from './host.ts';
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
  }
}

/** Shorter than the limit of the test runner, so that a gap that shows as a hang counts as a gap. */
const LIMIT_MS = 15_000;

/**
 * Declares one behaviour that every host must show.
 *
 * A host that lists it as a gap must fail it; when it passes there, the run fails until the gap is taken off the list.
 *
 * @param name – a sentence that continues "the host …".
 * @param source – the row of the specification, the decision, the section of a standard, or the case in
 *   the survey of other adapters (see README.md) that asks for it.
 */
export function behaviour(name: string, source: string, run: (host: Host) => Promise<void>): void {
  test(name, { meta: { source } }, async ({ task }) => {
    const description = inject('host');
    if (description === undefined) throw new Error('No host is given. Run the suite with: npm run conformance');
    const gap = description.gaps.find((entry) => entry.behaviour === name);
    const attempt = within(LIMIT_MS, run(toHost(description))).finally(killAbandonedServers);
    if (gap === undefined) return attempt;

    const failed = await attempt.then(
      () => false,
      () => true,
    );
    if (!failed) {
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
