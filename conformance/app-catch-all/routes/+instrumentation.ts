import { traceRequests } from 'appkit-server/opentelemetry';
import { startTelemetry } from '../lib/telemetry.ts';

startTelemetry();

export default traceRequests({ serverTiming: true });
