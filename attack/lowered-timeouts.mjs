// Preloaded into Node, whose servers answer 408 before they read what arrived while they were busy. So the servers created here wait
// for a request as long as ever, and from one SIGUSR2 to the next a share of that: a second for the head, two for the whole request.
// A time-out that is switched off stays off. Bun and Deno have no such time-out to lower.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const SHARE = 60;
const { createServer } = http;
http.createServer = (...given) => {
  const listener = given.findLast((one) => typeof one === 'function');
  const server = createServer({ requestTimeout: 2_000 * SHARE, connectionsCheckingInterval: 250 }, listener);
  let factor = SHARE;
  process.on('SIGUSR2', () => {
    factor = 1 / factor;
    server.headersTimeout *= factor;
    server.requestTimeout *= factor;
  });
  return server;
};
syncBuiltinESMExports();
