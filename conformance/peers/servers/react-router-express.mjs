import { createRequestHandler } from '@react-router/express';
import express from 'express';
import { toBuild } from './react-router-build.mjs';

export function serve(fetch, port) {
  const app = express();
  app.all('/{*path}', createRequestHandler({ build: toBuild(fetch), mode: 'production' }));
  app.listen(port, '127.0.0.1');
}
