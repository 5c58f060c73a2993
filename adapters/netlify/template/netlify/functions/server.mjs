import { createRequestHandler } from 'appkit-server/adapter/netlify';

// Found from here: in a workspace, Netlify keeps the path from the root of the repository, where the function runs.
export default createRequestHandler({ build: new URL('../../dist/server', import.meta.url) });

export const config = { path: '/*', preferStatic: true };
