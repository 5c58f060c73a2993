import http from 'node:http';
import { createServerAdapter, Response } from '@whatwg-node/server';
import { createFetchHandler } from './fetch-handler.mjs';

http.createServer(createServerAdapter(createFetchHandler(Response))).listen(Number(process.env.PORT), '127.0.0.1');
