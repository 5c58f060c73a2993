import { origin } from 'appkit-server';
import { eventStream } from 'appkit-server/event-stream';
import type { EventStreamClient, ServerSentEvent } from 'appkit-server/event-stream';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

type Events = AsyncGenerator<ServerSentEvent | string>;

/** Far more than a host may pull. In bytes. */
const ENOUGH = 64 * 1024 * 1024;

const sources: Record<string, (id: string, client: EventStreamClient) => Events> = {
  /** Two events, the second once it is released. */
  async *gated(id) {
    yield { id: '1', event: 'order', retry: 2000, data: { text: 'two\nlines' } };
    await waitFor(`${id}-second`);
    yield { id: '2', data: 'two\nlines' };
    yield origin();
  },
  async *again(_, { lastEventId }) {
    yield { data: { lastEventId: lastEventId ?? null } };
  },
  async *fails(id) {
    yield 'first';
    throw new Error(`secret cause ${id}`);
  },
  async *forges() {
    yield { id: '1\ndata: forged', data: 'a' };
  },
  async *endless(id) {
    try {
      for (let produced = 64 * 1024; produced < ENOUGH; produced += 64 * 1024) {
        record(`${id}-produced`, String(produced));
        yield 'x'.repeat(64 * 1024);
      }
    } finally {
      record(`${id}-finished`);
    }
  },
  async *waiting(id, { signal }) {
    try {
      yield 'first';
      await waitFor(`${id}-second`, signal);
      yield 'second';
    } finally {
      record(`${id}-finished`);
    }
  },
};

export function GET(request: Request): Response {
  const source = sources[query(request, 'what')];
  if (!source) return new Response('There is no such stream.', { status: 404 });
  const beat = new URL(request.url).searchParams.get('beat');
  const options = beat === null ? {} : { heartbeatMs: Number(beat) };
  return eventStream(request, (client) => source(query(request, 'id'), client), options);
}

export { GET as HEAD };
