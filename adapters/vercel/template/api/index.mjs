import { createRequestHandler } from 'appkit-server/adapter/vercel';

// Found from here: in a workspace, Vercel keeps the path from the root of the repository, where the function runs.
export default createRequestHandler({ build: new URL('../dist/server', import.meta.url) });
