import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';

type Message = Parameters<EventStore['storeEvent']>[1];

/** How many events of a session a client can request again. */
const MAX_EVENTS = 200;

/** Keeps the last events of a session, for a client that has lost its connection. */
export function createEventStore(): EventStore {
  const events = new Map<string, { streamId: string; message: Message }>();
  let count = 0;
  return {
    async storeEvent(streamId, message) {
      const id = String(++count);
      events.set(id, { streamId, message });
      events.delete(String(count - MAX_EVENTS));
      return id;
    },
    getStreamIdForEventId: async (id) => events.get(id)?.streamId,
    async replayEventsAfter(lastId, { send }) {
      const { streamId } = events.get(lastId) ?? { streamId: '' };
      for (const [id, event] of events) {
        // An event without content only gives the client an id to start from.
        const isMissed = event.streamId === streamId && Number(id) > Number(lastId) && 'jsonrpc' in event.message;
        if (isMissed) await send(id, event.message);
      }
      return streamId;
    },
  };
}
