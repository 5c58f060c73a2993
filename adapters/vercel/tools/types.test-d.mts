import type { VercelApiHandler } from '@vercel/node';
import { createRequestHandler } from 'appkit-server/adapter/vercel';

const handler = createRequestHandler({ build: 'dist/server' });

export const apiHandler: VercelApiHandler = handler;

// @ts-expect-error -- the handler is called with Node's request, not with a Request
handler(new Request('https://app.test'));
