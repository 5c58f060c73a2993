import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/web';
import { createStaticFiles } from 'appkit-server/static';
import build from './dist/server/index.js';

const handler = createRequestHandler({ build });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

// A file of dist/client first, then the routes. Where the host has the files, the handler is the default export.
export default {
  fetch: (request, context) => files.fetch(request) ?? handler.fetch(request, context),
};
