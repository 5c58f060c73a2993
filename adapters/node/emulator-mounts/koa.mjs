import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import Koa from 'koa';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

const app = new Koa();
app.use((context, next) => {
  if (context.path !== '/own') return next();
  context.body = 'a route of Koa';
});
// The last middleware, and before any that reads bodies. Koa has set 404, which is not the answer.
app.use((context) => {
  context.respond = false;
  context.res.statusCode = 200;
  files(context.req, context.res, () => handler(context.req, context.res));
});

const server = app.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(`Listening on http://${server.address().address}:${server.address().port}`);
});
stopOnSignal(server, handler);
