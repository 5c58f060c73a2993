import { once } from 'node:events';
import express from 'express';

const chunk = Buffer.alloc(64 * 1024, 97);
const app = express();
app.get('/text', async (_request, response) => response.type('text').send('Hello, world!'));
app.get('/json/:id', async (request, response) => response.json({ id: request.params.id, ok: true }));
app.post('/echo', express.json(), async (request, response) => response.json(request.body));
app.post('/upload', (request, response) => void request.pipe(response));
app.get('/stream', async (_request, response) => {
  for (let sent = 0; sent < 16; sent++) {
    if (!response.write(chunk)) await once(response, 'drain');
  }
  response.end();
});
app.listen(Number(process.env.PORT), '127.0.0.1');
