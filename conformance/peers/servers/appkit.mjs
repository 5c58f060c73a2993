import { createServer } from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';

export function serve(fetch, port) {
  createServer(createRequestHandler({ fetch, onError() {} })).listen(port, '127.0.0.1');
}
