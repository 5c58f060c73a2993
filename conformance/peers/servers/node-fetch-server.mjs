import { createServer } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';

export function serve(fetch, port) {
  createServer(createRequestListener((request) => fetch(request))).listen(port, '127.0.0.1');
}
