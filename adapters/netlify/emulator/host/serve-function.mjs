// Serves a site as Netlify does: static files, and a bundled function that Netlify's own entry point loads from a
// folder with only the bundle.
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInvoker } from './lambda.mjs';
import { toUrl } from './site-url.mjs';
import { findFile, findFiles, readHeaders, sendFile } from './static-files.mjs';

const [name = 'server'] = process.argv.slice(2);
const project = process.cwd();
const manifest = JSON.parse(readFileSync('.netlify/functions/manifest.json', 'utf8'));
const { path: bundle, routes } = manifest.functions.find((bundled) => bundled.name === name);
const tools = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { parse } = await import(pathToFileURL(tools.resolve('smol-toml')).href);
const root = path.join(project, parse(readFileSync('netlify.toml', 'utf8')).build.publish);
const files = findFiles(root);
const headersOf = readHeaders(root);

// Next to the site, where its node_modules are out of reach.
const folder = mkdtempSync(path.join(project, '../function-'));
cpSync(bundle, folder, { recursive: true, dereference: true });
const invoke = await createInvoker(folder);

const server = createServer((request, response) => {
  const url = toUrl(request);
  if (url === undefined) {
    response.writeHead(400).end();
    return;
  }
  const route = routes.find(({ literal, expression }) =>
    literal === undefined ? new RegExp(expression).test(url.path) : literal === url.path,
  );
  const file = findFile(files, url.path);
  if (file !== undefined && (route === undefined || route.prefer_static))
    sendFile(file, request, response, headersOf(url.path));
  else if (route === undefined) response.writeHead(404).end();
  else invoke(request, response, { rawUrl: url.text, path: url.path, route: route.pattern });
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  const { address, port } = server.address();
  console.log(`Listening on http://${address}:${port}`);
});

// The function's own work keeps the process alive until it is done, but no longer than Netlify would.
process.once('SIGTERM', () => {
  server.keepAliveTimeout = 1;
  server.close();
  setTimeout(() => process.exit(), 5000).unref();
});
