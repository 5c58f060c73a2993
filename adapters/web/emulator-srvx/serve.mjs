import process from 'node:process';
import { serve } from 'srvx';
import app from './server.mjs';

const server = serve({ ...app, port: Number(process.env.PORT), hostname: process.env.HOST, silent: true });
await server.ready();
console.log(`Listening on ${server.url}`);
