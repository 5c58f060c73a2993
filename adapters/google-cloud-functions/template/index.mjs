import path from 'node:path';
import { http } from '@google-cloud/functions-framework';
import { createRequestHandler } from 'appkit-server/adapter/google-cloud-functions';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

// A file of dist/client first, then the routes.
http('app', (request, response) => files(request, response, () => handler(request, response)));
