import { defineJob } from 'appkit-server/jobs';
import type { StandardSchemaV1 } from 'appkit-server/contract';
import { record, valueOf } from '../../lib/signals.ts';

/** Accepts an input once: as if a new release had been deployed between `enqueue()` and the run. */
const Once: StandardSchemaV1<string> = {
  '~standard': {
    version: 1,
    vendor: 'conformance',
    validate(value) {
      const accepted = `${String(value)}-accepted`;
      if (valueOf(accepted) !== null) return { issues: [{ message: `${String(value)} was of an older release` }] };
      record(accepted);
      return { value: String(value) };
    },
  },
};

export default defineJob({ input: Once, run: (name) => record(`${name}-ran`) });
