import { createRequestHandler } from 'appkit-server/adapter/bun';
import { createStaticFiles } from 'appkit-server/static';
import { folder } from './files.mjs';

const handler = createRequestHandler({ build: process.env.APPKIT_BUILD });
const files = createStaticFiles(folder);
const fetch = (request, server) => files.fetch(request) ?? handler(request, server);
Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch });
