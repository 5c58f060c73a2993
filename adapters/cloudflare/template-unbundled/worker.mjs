// A copy of node_modules/appkit-server/lib: without a bundler, nothing is found by the name of its package.
import { createRequestHandler } from './appkit-server/adapters/cloudflare/index.js';
import build from './dist/server/index.js';

export default createRequestHandler({ build });
