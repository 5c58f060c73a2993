import http from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { createStaticFiles } from 'appkit-server/static';
import { folder } from './files.mjs';

const handler = createRequestHandler({ build: process.env.APPKIT_BUILD });
const files = createStaticFiles(folder);
http
  .createServer((request, response) => files(request, response, () => handler(request, response)))
  .listen(Number(process.env.PORT), '127.0.0.1');
