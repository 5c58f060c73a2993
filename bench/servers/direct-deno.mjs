import process from 'node:process';
import { createDirectHandler } from './routes-direct.mjs';

Deno.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', onListen() {} }, createDirectHandler());
