// The server, over TLS: `node tls.mjs http2` or `node tls.mjs https`. The suite speaks plain HTTP/1.1, so a bridge
// passes its requests on like a proxy.
import { once } from 'node:events';
import http2 from 'node:http2';
import https from 'node:https';
import path from 'node:path';
import { getCertificate } from '@vitejs/plugin-basic-ssl';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import { bridgeToHttp1 } from './to-http1.mjs';
import { bridgeToHttp2 } from './to-http2.mjs';

const isHttp2 = process.argv[2] === 'http2';
const pem = await getCertificate(path.join(import.meta.dirname, 'certificate'), 'localhost', ['localhost']);
const settings = { key: pem, cert: pem };

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server'), trustProxy: true });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));
const listener = (request, response) => files(request, response, () => handler(request, response));
const server = isHttp2 ? http2.createSecureServer(settings, listener) : https.createServer(settings, listener);
await once(server.listen(0, process.env.HOST), 'listening');
stopOnSignal(server, handler);

const origin = `https://localhost:${server.address().port}`;
const bridge = isHttp2 ? bridgeToHttp2(origin, pem) : bridgeToHttp1(origin, pem);
bridge.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(`Listening on http://${bridge.address().address}:${bridge.address().port}`);
});
