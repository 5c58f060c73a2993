import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/bun';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import { Hono } from 'hono';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

const app = new Hono();
app.get('/own', (context) => context.text('a route of Hono'));
app.all('*', ({ req, env }) => files.fetch(req.raw) ?? handler(req.raw, env));

// Hono has the server, which Bun passes as the second argument, in place of env.
const server = Bun.serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: process.env.HOST });
console.log(`Listening on http://${server.hostname}:${server.port}`);
stopOnSignal(server, handler);
