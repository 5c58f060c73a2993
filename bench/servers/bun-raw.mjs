import { createFetchHandler } from './fetch-handler.mjs';

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: createFetchHandler() });
