import { createDirectHandler } from './routes-direct.mjs';

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: createDirectHandler() });
