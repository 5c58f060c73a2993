import { http } from '@google-cloud/functions-framework';
import type { HttpFunction } from '@google-cloud/functions-framework';
import { createRequestHandler } from 'appkit-server/adapter/google-cloud-functions';

const handler = createRequestHandler({ build: 'dist/server' });

export const ofFramework: HttpFunction = handler;
http('app', handler);

// @ts-expect-error -- the framework gives a request and a response of Express, not a Request
http('app', (request: Request) => handler(request));
