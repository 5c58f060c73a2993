import { defineJob } from 'appkit-server/jobs';
import { spanBelow } from '../../lib/telemetry.ts';

export default defineJob({ run: () => spanBelow('job') });
