// Serves a site as Netlify does: an edge function receives a request first, and if it returns no answer, the file
// server does.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createForwarder } from './forward.mjs';
import { toUrl } from './site-url.mjs';
import { startIsolate } from './start-isolate.mjs';
import { findFile, findFiles, readHeaders, sendFile } from './static-files.mjs';

const [name = 'server'] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync('.netlify/edge-functions-dist/manifest.json', 'utf8'));
const route = manifest.routes.find((entry) => entry.function === name);
const pattern = new RegExp(route.pattern);
const excluded = route.excluded_patterns.map((text) => new RegExp(text));
const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { parse } = await import(pathToFileURL(tools.resolve('smol-toml')).href);
const root = path.resolve(parse(readFileSync('netlify.toml', 'utf8')).build.publish);
const files = findFiles(root);
const headersOf = readHeaders(root);

const origin = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://origin');
  const file = findFile(files, pathname);
  if (file === undefined) response.writeHead(404).end();
  else sendFile(file, request, response, headersOf(pathname));
});
await new Promise((done) => origin.listen(0, '127.0.0.1', done));
const { isolate, port } = await startIsolate();
const forward = createForwarder({ port, name, manifest, originPort: origin.address().port });

const server = createServer((request, response) => {
  const url = toUrl(request);
  if (url === undefined) response.writeHead(400).end();
  else if (pattern.test(url.path) && !excluded.some((one) => one.test(url.path))) forward(request, response, url);
  else origin.emit('request', request, response);
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  const address = server.address();
  console.log(`Listening on http://${address.address}:${address.port}`);
});

process.once('SIGTERM', () => {
  isolate.removeAllListeners('exit').once('exit', () => process.exit());
  isolate.kill('SIGKILL');
});
