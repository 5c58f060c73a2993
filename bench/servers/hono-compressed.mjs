import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { items } from './items.mjs';

const app = new Hono();
app.use(compress());
app.get('/items', async (context) => context.json({ items }));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
