import compression from 'compression';
import express from 'express';
import { items } from './items.mjs';

const app = express();
app.use(compression());
app.get('/items', async (_request, response) => response.json({ items }));
app.listen(Number(process.env.PORT), '127.0.0.1');
