import express from 'express';
import { createRequestHandler } from 'appkit-server/adapter/express';

const { APPKIT_BUILD: build, PORT: port } = process.env;
const app = express();
app.use(createRequestHandler({ build }));
app.listen(Number(port), '127.0.0.1');
