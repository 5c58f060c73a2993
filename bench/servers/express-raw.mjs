import express from 'express';
import { rawListener } from './raw-listener.mjs';

const app = express();
app.use(rawListener);
app.listen(Number(process.env.PORT), '127.0.0.1');
