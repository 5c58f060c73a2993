import http from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';

const { APPKIT_BUILD: build, PORT: port } = process.env;
http.createServer(createRequestHandler({ build })).listen(Number(port), '127.0.0.1');
