import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Certificate } from './certificate.ts';

/**
 * Creates a server that upgrades connections only for requests that `isKnown` accepts, by a listener of `upgrade`. Any other offer,
 * such as that of h2c which curl and Java make, is ignored, as in production.
 *
 * Node asks `isKnown` first from 24.9 on. An older one waits for the listener to answer whatever is offered.
 */
export function createUpgradableServer(
  certificate: Certificate | undefined,
  isKnown: (request: IncomingMessage) => boolean,
): Server {
  const options = { shouldUpgradeCallback: isKnown };
  const server: Server = certificate ? createSecureServer({ ...certificate, ...options }) : createServer(options);
  const connected = certificate ? 'secureConnection' : 'connection';
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isKnown(request)) return;
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
    server.emit(connected, socket);
    // Node has paused it when it let go of it.
    process.nextTick(() => socket.resume());
  });
  return server;
}

function withoutOffer(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !/^(?:upgrade|http2-settings)$/i.test(option)).join(', ');
}

/** The head of a request as it would be without the offer. */
function headWithoutUpgrade({ httpVersion, method, rawHeaders, url }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index);
    if (/^(?:upgrade|http2-settings)$/i.test(name)) continue;
    const isOfConnection = /^connection$/i.test(name);
    const kept = isOfConnection ? withoutOffer(value) : value;
    if (kept !== '' || !isOfConnection) lines.push(`${name}: ${kept}`);
  }
  // Node reads and writes heads as Latin-1.
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
