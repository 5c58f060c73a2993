import { createServer } from 'node:http';
import { createRequestListener } from '@react-router/node';
import { toBuild } from './react-router-build.mjs';

export function serve(fetch, port) {
  createServer(createRequestListener({ build: toBuild(fetch), mode: 'production' })).listen(port, '127.0.0.1');
}
