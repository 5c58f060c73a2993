import { once } from 'node:events';

const chunk = Buffer.alloc(64 * 1024, 97);

/** The answers without any adapter, as one would write them by hand for node:http. */
export async function rawListener(request, response) {
  const { url } = request;
  if (url === '/text') {
    response.writeHead(200, { 'content-type': 'text/plain;charset=UTF-8', 'content-length': 13 });
    response.end('Hello, world!');
  } else if (url.startsWith('/json/')) {
    sendJson(response, { id: url.slice(6), ok: true });
  } else if (url === '/echo') {
    const chunks = [];
    request.on('data', (data) => chunks.push(data));
    request.on('end', () => sendJson(response, JSON.parse(Buffer.concat(chunks).toString())));
  } else if (url === '/upload') {
    response.writeHead(200);
    request.pipe(response);
  } else if (url === '/stream') {
    response.writeHead(200);
    for (let sent = 0; sent < 16; sent++) {
      if (!response.write(chunk)) await once(response, 'drain');
    }
    response.end();
  } else {
    response.writeHead(404).end();
  }
}

function sendJson(response, value) {
  const body = JSON.stringify(value);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
