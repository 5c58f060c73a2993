import { defineJob } from 'appkit-server/jobs';
import { record } from '../../lib/signals.ts';

/** Its first attempt ends only when told to. */
export default defineJob({
  timeoutMs: 50,
  retry: { delayMs: 10 },
  async run(input, { attempt, signal }) {
    const name = String(input);
    if (attempt > 1) return record(`${name}-again`, String(attempt));
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    record(`${name}-aborted`, (signal.reason as Error).name);
  },
});
