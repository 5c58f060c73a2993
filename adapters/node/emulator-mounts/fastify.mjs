import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { createStaticFiles } from 'appkit-server/static';
import Fastify from 'fastify';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

const app = Fastify();
app.get('/own', () => 'a route of Fastify');
// Before Fastify reads the body. Fastify answers its own routes itself.
app.addHook('onRequest', (request, reply, next) => {
  if (!request.is404) return next();
  reply.hijack();
  files(request.raw, reply.raw, () => handler(request.raw, reply.raw));
});
app.addHook('onClose', () => handler.drain());

console.log(`Listening on ${await app.listen({ port: Number(process.env.PORT), host: process.env.HOST })}`);
process.once('SIGTERM', () => app.close());
