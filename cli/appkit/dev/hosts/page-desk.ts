import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Renders pages for a host that runs the routes. */
export interface PageDesk {
  /** The URL where the host requests pages, without a slash at the end. Requests without the mark in it are not answered. */
  url: string;
  close(): void;
}

/** Opens the desk, only on this machine. */
export async function openPageDesk(
  mark: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<PageDesk> {
  const start = `/${mark}`;
  // Its header names the page by its whole URL.
  const server = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
    if (!request.url?.startsWith(`${start}/`)) return void response.writeHead(403).end();
    request.url = request.url.slice(start.length);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a string only for a pipe
  return {
    url: `http://127.0.0.1:${port}${start}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
