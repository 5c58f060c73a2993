import { createHonoApp } from './hono-app.mjs';

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: createHonoApp().fetch });
