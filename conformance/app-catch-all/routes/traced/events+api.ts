import { eventStream } from 'appkit-server/event-stream';
import { spanBelow } from '../../lib/telemetry.ts';

/** Makes a span while its events are being sent. */
export function GET(request: Request): Response {
  return eventStream(request, async function* () {
    yield 'first';
    spanBelow('events');
  });
}
