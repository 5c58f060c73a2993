import http from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { build } from './app.mjs';

http.createServer(createRequestHandler({ build })).listen(Number(process.env.PORT), '127.0.0.1');
