import { createRequestHandler } from 'appkit-server/adapter/deno';
import { createStaticFiles } from 'appkit-server/static';
import { folder } from './files.mjs';

const handler = createRequestHandler({ build: process.env.APPKIT_BUILD });
const files = createStaticFiles(folder);
const fetch = (request, server) => files.fetch(request) ?? handler(request, server);
Deno.serve({ port: Number(Deno.env.get('PORT')), hostname: '127.0.0.1' }, fetch);
