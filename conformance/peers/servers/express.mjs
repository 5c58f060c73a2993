import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express from 'express';

/** The few lines that put a Fetch handler into an Express app without an adapter. */
export function serve(fetch, port) {
  const app = express();
  app.use(async (incoming, outgoing) => {
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    const request = new Request(`${incoming.protocol}://${incoming.get('host')}${incoming.originalUrl}`, {
      method: incoming.method,
      headers: incoming.headers,
      body: hasBody ? Readable.toWeb(incoming) : null,
      duplex: 'half',
    });
    const response = await fetch(request);
    outgoing.status(response.status).setHeaders(response.headers);
    if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing);
    else outgoing.end();
  });
  app.listen(port, '127.0.0.1');
}
