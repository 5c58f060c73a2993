import { defineJob } from 'appkit-server/jobs';
import type { StandardSchemaV1 } from 'appkit-server/contract';
import { record } from '../../lib/signals.ts';

const accepted = new Set<unknown>();

/** Accepts an input once: as if a new release had come between `enqueue()` and the run. */
const Once: StandardSchemaV1<string> = {
  '~standard': {
    version: 1,
    vendor: 'conformance',
    validate(value) {
      if (accepted.has(value)) return { issues: [{ message: `${String(value)} was of an older release` }] };
      accepted.add(value);
      return { value: String(value) };
    },
  },
};

export default defineJob({ input: Once, run: (name) => record(`${name}-ran`) });
