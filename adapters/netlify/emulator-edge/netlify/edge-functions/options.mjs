// The template's function, with options, called in its place.
import { createIsFile, createRequestHandler } from 'appkit-server/adapter/netlify';
import client from '../../dist/client.files/manifest.json' with { type: 'json' };
import build from '../../dist/edge/server.js';

const { env } = Netlify;
const isFile = createIsFile(client);
let handler;

export default (request, context) => {
  // When the bundler reads the config below, there are no options.
  handler ??= createRequestHandler({
    build,
    ...JSON.parse(env.get('APPKIT_OPTIONS')),
    onError(error, failed) {
      console.log(`onError: ${failed.method} ${failed.url}: ${error?.message}`);
      if (env.get('APPKIT_ON_ERROR') === 'throw') throw new Error('onError threw');
      if (env.get('APPKIT_ON_ERROR') === 'answer') return Response.json({ told: error.message }, { status: 503 });
    },
  });
  return isFile(request) ? undefined : handler(request, context);
};

export const config = { path: '/*', excludedPath: '/_appkit/assets/*' };
