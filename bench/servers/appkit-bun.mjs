import { createRequestHandler } from 'appkit-server/adapter/bun';

const { APPKIT_BUILD: build, PORT: port } = process.env;
Bun.serve({ port: Number(port), hostname: '127.0.0.1', fetch: createRequestHandler({ build }) });
