import 'reflect-metadata';
import path from 'node:path';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createRequestHandler } from 'appkit-server/adapter/express';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

// As TypeScript compiles decorators.
class OwnController {
  own() {
    return 'a route of Nest';
  }
}
Controller('own')(OwnController);
Get()(OwnController.prototype, 'own', Object.getOwnPropertyDescriptor(OwnController.prototype, 'own'));
// oxlint-disable-next-line no-extraneous-class -- a module of Nest is one
class OwnModule {}
Module({ controllers: [OwnController] })(OwnModule);

const app = await NestFactory.create(OwnModule, { logger: false, bodyParser: false });
// Nest puts its controllers behind the middleware used here, so their paths are left to Nest.
const isOwn = ({ path }) => path === '/own' || path.startsWith('/own/');
app.use((request, response, next) => {
  if (isOwn(request)) next();
  else files(request, response, () => handler(request, response));
});

const server = await app.listen(Number(process.env.PORT), process.env.HOST);
console.log(`Listening on http://${server.address().address}:${server.address().port}`);
stopOnSignal(server, handler);
