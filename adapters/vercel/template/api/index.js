import { createRequestHandler } from 'appkit-server/adapter/vercel';

// Relative to the folder of vercel.json.
export default createRequestHandler({ build: 'dist/server' });
