import type { FetchContext } from 'appkit-server';
import { Hono } from 'hono';
import { cookies, echo, release, stream } from 'hosted-parts';

const app = new Hono();

app.get('/', (context) => context.html('<h1>Home at /</h1>'));
app.post('/echo', (context) => echo(context.req.raw));
app.get('/cookies', (context) => cookies(context.req.raw));
app.get('/stream', (context) => stream(context.req.raw));
app.get('/released', (context) => release(context.req.raw));
app.get('/away', (context) => context.redirect('/'));

export const fetch = (request: Request, { env, waitUntil }: FetchContext) =>
  app.fetch(request, env, { waitUntil, passThroughOnException() {}, props: {} });
