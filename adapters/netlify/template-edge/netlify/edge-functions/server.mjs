import { createIsFile, createRequestHandler } from 'appkit-server/adapter/netlify';
import client from '../../dist/client.files/manifest.json' with { type: 'json' };
import build from '../../dist/edge/server.js';

const handler = createRequestHandler({ build });
const isFile = createIsFile(client);

// If this returns no answer, Netlify serves the file.
export default (request, context) => (isFile(request) ? undefined : handler(request, context));

export const config = { path: '/*', excludedPath: '/_appkit/assets/*' };
