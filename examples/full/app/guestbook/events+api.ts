import { eventStream } from 'appkit-server/event-stream';
import type { EventSource } from 'appkit-server/event-stream';
import { newNames } from '../../server/guestbook.ts';

/** Tells the open pages of the guestbook about each new name, with server-sent events. */
export function GET(request: Request): Response {
  const source: EventSource = async function* ({ signal }) {
    for await (const name of newNames(signal)) yield { event: 'signed', data: name };
  };
  return eventStream(request, source, { endless: true });
}
