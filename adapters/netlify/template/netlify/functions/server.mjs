import { createRequestHandler } from 'appkit-server/adapter/netlify';

// Relative to the folder of netlify.toml, which included_files keeps in the function.
export default createRequestHandler({ build: 'dist/server' });

export const config = { path: '/*', preferStatic: true };
