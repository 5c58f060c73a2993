import http from 'node:http';
import { rawListener } from './raw-listener.mjs';

http.createServer(rawListener).listen(Number(process.env.PORT), '127.0.0.1');
