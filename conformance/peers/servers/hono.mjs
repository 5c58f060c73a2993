import { serve as listen } from '@hono/node-server';
import { Hono } from 'hono';

export function serve(fetch, port) {
  const app = new Hono();
  app.all('*', (context) => fetch(context.req.raw));
  listen({ fetch: app.fetch, port, hostname: '127.0.0.1' });
}
