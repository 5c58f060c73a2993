import { Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { megabyte } from './fetch-handler.mjs';

/** The answers in the form of a Hono app. */
export function createHonoApp() {
  const app = new Hono();
  app.get('/text', async (context) => context.text('Hello, world!'));
  app.get('/json/:id', async (context) => context.json({ id: context.req.param('id'), ok: true }));
  app.post('/echo', async (context) => context.json(await context.req.json()));
  app.post('/upload', async (context) => new Response(context.req.raw.body));
  app.get('/stream', async () => new Response(megabyte()));
  app.use('/members/*', async (context, next) => {
    context.set('user', getCookie(context, 'session') ?? 'nobody');
    await next();
  });
  app.get('/members/me', async (context) => {
    setCookie(context, 'seen', '1', { maxAge: 60, httpOnly: true, sameSite: 'Lax', path: '/' });
    return context.json({ user: context.get('user'), theme: getCookie(context, 'theme') ?? 'light' });
  });
  return app;
}
