import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where error pages listen for changes. */
const CHANGES_PATH = '/_appkit/dev/changes';

/** Tells pages that are open in a browser that something has changed. */
export interface ChangeStream {
  /** The URL for a page made now: a change between then and its first request is told at once. */
  url(): string;
  /** Answers a request for it. `false`, having done nothing, for every other one. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Tells of a change. */
  announce(): void;
}

/** Makes the stream of one server. */
export function createChangeStream(): ChangeStream {
  const open = new Set<ServerResponse>();
  // Another server on the same port, perhaps this one started again, has other versions.
  const started = Date.now();
  let count = 0;
  const version = (): string => `${started}-${count}`;
  return {
    url: () => `${CHANGES_PATH}?since=${version()}`,
    answer(request, response) {
      const [path, query] = (request.url ?? '').split('?');
      if (path !== CHANGES_PATH) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(query === `since=${version()}` ? ':\n\n' : EVENT);
      open.add(response);
      response.once('close', () => open.delete(response));
      return true;
    },
    announce() {
      count++;
      for (const response of open) response.write(EVENT);
    },
  };
}

const EVENT = 'event: change\ndata:\n\n';
