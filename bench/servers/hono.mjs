import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { megabyte } from './fetch-handler.mjs';

const app = new Hono();
app.get('/text', async (context) => context.text('Hello, world!'));
app.get('/json/:id', async (context) => context.json({ id: context.req.param('id'), ok: true }));
app.post('/echo', async (context) => context.json(await context.req.json()));
app.post('/upload', async (context) => new Response(context.req.raw.body));
app.get('/stream', async () => new Response(megabyte()));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
