import { defineJob } from 'appkit-server/jobs';
import { record } from '../../lib/signals.ts';

/** Started by another job. */
export default defineJob({
  run(input) {
    record((input as { signal: string }).signal);
  },
});
