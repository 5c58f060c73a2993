import express from 'express';
import type { RequestHandler } from 'express';
import { createRequestHandler } from 'appkit-server/adapter/express';

const handler = createRequestHandler({ build: 'dist/server' });
const app = express();

export const middleware: RequestHandler = handler;
app.use(handler);
app.use('/sub', handler);
app.all('/{*all}', handler);

// @ts-expect-error -- Express passes its own request, not a Request
app.use((request: Request) => handler(request));
