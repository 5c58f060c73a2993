import { createRequestHandler } from 'appkit-server/adapter/bun';
import { build } from './app.mjs';

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: createRequestHandler({ build }) });
