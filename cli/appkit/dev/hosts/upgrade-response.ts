import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Whether a request asks for a WebSocket (RFC 6455, section 4.1). */
export function isForWebSocket({ method, headers }: IncomingMessage): boolean {
  const isOffered = headers.upgrade?.toLowerCase() === 'websocket' && /\bupgrade\b/i.test(headers.connection ?? '');
  return isOffered && method === 'GET';
}

/**
 * Makes a response to a request that Node has let go of, because it asks for a WebSocket. After an answer with the status 101, the
 * connection stays open for whoever pipes it; after any other, it closes. It also closes if the client ends it before the answer.
 */
export function createUpgradeResponse(request: IncomingMessage, socket: Socket): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  // Node no longer does the following for this connection.
  const onDrain = (): void => void response.emit('drain');
  const onEnd = (): void => void response.destroy();
  socket.on('drain', onDrain);
  socket.once('end', onEnd);
  socket.on('error', () => undefined); // an error also closes it
  response.once('finish', () => {
    response.detachSocket(socket);
    socket.off('drain', onDrain);
    socket.off('end', onEnd);
    if (response.statusCode !== 101) socket.destroySoon();
    response.emit('close');
  });
  return response;
}
