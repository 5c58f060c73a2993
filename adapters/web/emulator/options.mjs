import process from 'node:process';
import { createRequestHandler } from 'appkit-server/adapter/web';
import build from './dist/server/index.js';

export default createRequestHandler({
  build,
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});
