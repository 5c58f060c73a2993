import http from 'node:http';
import sirv from 'sirv';
import { folder } from './files.mjs';

const files = sirv(folder, { etag: true });
http.createServer((request, response) => files(request, response)).listen(Number(process.env.PORT), '127.0.0.1');
