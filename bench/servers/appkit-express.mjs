import express from 'express';
import { createRequestHandler } from 'appkit-server/adapter/express';
import { build } from './app.mjs';

const app = express();
app.use(createRequestHandler({ build }));
app.listen(Number(process.env.PORT), '127.0.0.1');
