// A copy of node_modules/appkit-server/lib: without a bundler, packages cannot be imported by name.
import { createRequestHandler } from './appkit-server/adapters/cloudflare/index.js';
import build from './dist/server/index.js';

export default createRequestHandler({ build });
