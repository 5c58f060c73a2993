import { serve } from '@hono/node-server';
import { createHonoApp } from './hono-app.mjs';

serve({ fetch: createHonoApp().fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
