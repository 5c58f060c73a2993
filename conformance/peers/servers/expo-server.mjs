import { createServer } from 'node:http';
import { createRequire } from 'node:module';

// Its ES modules do not run in Node (58.0.1): they import each other without extensions.
const { convertRequest, respond } = createRequire(import.meta.url)('expo-server/adapter/http');

export function serve(fetch, port) {
  createServer(async (incoming, outgoing) => {
    try {
      const request = convertRequest(incoming, outgoing);
      await respond(outgoing, await fetch(request), { signal: request.signal });
    } catch {
      // An uncaught error ends the process; the adapter's own handler answers 500 as well.
      if (!outgoing.headersSent) outgoing.writeHead(500).end();
      else outgoing.destroy();
    }
  }).listen(port, '127.0.0.1');
}
