import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Whether a request asks for a WebSocket (RFC 6455, section 4.1). */
export function isForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && /\bupgrade\b/i.test(headers.connection ?? '');
}

/**
 * Makes a response to a request that Node has let go of, because it asks for a WebSocket. After an answer with the status 101, the
 * connection stays open for whoever pipes it; after any other, it ends.
 */
export function createUpgradeResponse(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Socket); // a server of node:http has no others
  response.once('finish', () => {
    response.detachSocket(socket as Socket);
    if (response.statusCode !== 101) socket.end();
    // As Node does for its own.
    response.emit('close');
  });
  return response;
}
