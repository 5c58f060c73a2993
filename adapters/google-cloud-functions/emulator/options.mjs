import path from 'node:path';
import { http } from '@google-cloud/functions-framework';
import { createRequestHandler } from 'appkit-server/adapter/google-cloud-functions';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

http('app', (request, response) => files(request, response, () => handler(request, response)));
