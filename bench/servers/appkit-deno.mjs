import process from 'node:process';
import { createRequestHandler } from '../../runtime/lib/adapters/deno/index.js';

const { APPKIT_BUILD: build, PORT: port } = process.env;
Deno.serve({ port: Number(port), hostname: '127.0.0.1', onListen() {} }, createRequestHandler({ build }));
