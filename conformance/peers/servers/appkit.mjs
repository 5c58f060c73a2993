import { createServer } from 'node:http';
import { createRequestHandler } from 'appkit-server/adapter/node';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function serve(fetch, port) {
  const route = Object.fromEntries(METHODS.map((method) => [method, (request) => fetch(request)]));
  const build = {
    manifest: {
      version: 1,
      routes: ['/', '/[...path]'].map((pattern) => ({ pattern, file: 'all', methods: METHODS })),
    },
    modules: { all: () => route },
  };
  createServer(createRequestHandler({ build, onError() {} })).listen(port, '127.0.0.1');
}
