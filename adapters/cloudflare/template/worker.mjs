import { createRequestHandler } from 'appkit-server/adapter/cloudflare';
import build from './dist/server/index.js';

// Cloudflare serves the files of dist/client itself; all other requests come here.
export default createRequestHandler({ build });
