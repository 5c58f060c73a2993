import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where error pages listen for changes. */
const CHANGES_PATH = '/_appkit/dev/changes';

/** Notifies pages that are open in a browser of changes. */
export interface ChangeStream {
  /** The URL for a page rendered now. A change between now and the page's first request is reported at that request. */
  url(): string;
  /** Answers a request for the stream. Returns `false`, and does nothing, for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Reports a change to all open pages. */
  announce(): void;
}

/** Creates the stream of one server. */
export function createChangeStream(): ChangeStream {
  const open = new Set<ServerResponse>();
  // Another server on the same port, such as this one restarted, has different versions.
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
