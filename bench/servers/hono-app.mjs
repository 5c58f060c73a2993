import { Hono } from 'hono';
import { megabyte } from './fetch-handler.mjs';

/** The answers as an app of Hono gives them. */
export function createHonoApp() {
  const app = new Hono();
  app.get('/text', async (context) => context.text('Hello, world!'));
  app.get('/json/:id', async (context) => context.json({ id: context.req.param('id'), ok: true }));
  app.post('/echo', async (context) => context.json(await context.req.json()));
  app.post('/upload', async (context) => new Response(context.req.raw.body));
  app.get('/stream', async () => new Response(megabyte()));
  return app;
}
