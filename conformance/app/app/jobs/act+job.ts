import { environment, origin, runTask, setResponseHeaders } from 'appkit-server';
import { cookies } from 'appkit-server/cookies';
import { defineJob, enqueue } from 'appkit-server/jobs';
import { z } from 'zod';
import { record, waitFor } from '../../lib/signals.ts';
import next from './next+job.ts';

/** Records its input, and does what it says. */
export default defineJob({
  input: z.object({
    signal: z.string(),
    value: z.unknown().optional(),
    /** How many attempts fail. */
    fail: z.number().default(0),
    /** Its actions before it ends. */
    act: z.enum(['wait', 'next', 'helpers', 'drain']).optional(),
  }),
  retry: { attempts: 3, delayMs: 10 },
  concurrency: 2,
  async run({ signal: name, value, fail, act }, { id, attempt, key, signal }) {
    record(`${name}-begun`, String(attempt));
    if (attempt <= fail) throw new Error(`${name} failed in ${attempt}`);
    if (act === 'wait') await waitFor(`${name}-release`);
    if (act === 'drain') {
      console.log(`${name} waits for the end`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      signal.throwIfAborted();
    }
    if (act === 'next') await enqueue(next, { signal: `${name}-next` });
    const said = act === 'helpers' ? await askHelpers(name) : {};
    record(`${name}-done`, JSON.stringify({ id, attempt, key: key ?? null, value, ...said }));
  },
});

async function askHelpers(name: string): Promise<object> {
  await new Promise<void>((resolve) => runTask(async () => resolve()));
  const refused: Record<string, string> = {};
  for (const [helper, ask] of Object.entries({
    origin,
    cookies,
    setResponseHeaders: () => setResponseHeaders({ 'x-job': name }),
  })) {
    try {
      ask();
    } catch (error) {
      refused[helper] = (error as Error).message;
    }
  }
  return { environment: environment(), refused };
}
