import { http } from '@google-cloud/functions-framework';
import type { HttpFunction } from '@google-cloud/functions-framework';
import { createRequestHandler } from 'appkit-server/adapter/google-cloud-functions';

const handler = createRequestHandler({ build: 'dist/server' });

export const ofFramework: HttpFunction = handler;
http('app', handler);

// @ts-expect-error -- the framework passes Express's request and response, not a Request
http('app', (request: Request) => handler(request));
