import { createServer } from 'node:http';
import { createServerAdapter } from '@whatwg-node/server';

export function serve(fetch, port) {
  createServer(createServerAdapter((request) => fetch(request))).listen(port, '127.0.0.1');
}
