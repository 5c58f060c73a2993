import { createRequestHandler } from 'appkit-server/adapter/aws-lambda';
import { createStaticFiles } from 'appkit-server/static';

// Relative to the root of the function, where `sam build` puts what package.json lists in "files".
export const handler = createRequestHandler({ build: 'dist/server', files: createStaticFiles('dist/client') });
