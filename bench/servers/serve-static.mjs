import http from 'node:http';
import serveStatic from 'serve-static';
import { folder } from './files.mjs';

const files = serveStatic(folder);
const next = (response) => response.writeHead(404).end();
http
  .createServer((request, response) => files(request, response, () => next(response)))
  .listen(Number(process.env.PORT), '127.0.0.1');
