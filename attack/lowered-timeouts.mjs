// Preloaded into Node: the servers it creates wait for a request as long as APPKIT_ATTACK_TIMEOUT_MS says; the default
// is a minute. Bun and Deno have no such time-out to lower.
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const timeout = Number(process.env.APPKIT_ATTACK_TIMEOUT_MS);
const { createServer } = http;
http.createServer = (...given) => {
  const listener = given.findLast((one) => typeof one === 'function');
  const options = { headersTimeout: timeout, requestTimeout: 2 * timeout, connectionsCheckingInterval: timeout / 4 };
  return createServer(options, listener);
};
syncBuiltinESMExports();
