import { createRequestHandler } from 'appkit-server/adapter/netlify';

// Deploys examples/hello from this repository: docs/decisions/007-deploying-from-this-repository.md.
export default createRequestHandler({ build: 'examples/hello/dist/server' });

export const config = { path: '/*', preferStatic: true };
