import { createRequestHandler } from 'appkit-server/adapter/vercel';

// Deploys examples/hello from this repository: docs/decisions/007-deploying-from-this-repository.md.
export default createRequestHandler({ build: 'examples/hello/dist/server' });
