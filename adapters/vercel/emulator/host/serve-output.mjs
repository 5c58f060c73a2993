// Serves `.vercel/output` as the platform does: its routes, its static files, and its function in a separate process,
// run by the launcher of @vercel/node from a folder that contains only what the build put into the function.
import { createReadStream } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import { launchFunction } from './launch-function.mjs';
import { readOutput } from './output.mjs';

const [entryPoint] = process.argv.slice(2);
const output = readOutput(process.cwd());
// Its modules are loaded only for jobs: elsewhere this file runs without the folder they share with other hosts.
const jobs = output.triggers.size > 0 && (await (await import('./jobs.mjs')).startJobs());
const FOR_JOBS = ['api/jobs', 'api/schedules'];
const launched = new Map();
// Those for jobs are launched when they are first called, as all are on the platform.
for (const name of output.functions.keys()) if (!FOR_JOBS.includes(name)) await launch(name);
for (const [name, trigger] of output.triggers)
  jobs.deliver(trigger, { portOf: async () => (await launch(name)).port, path: `/${name}` });

const server = createServer((request, response) => {
  if (jobs && request.url.startsWith(`${process.env.APPKIT_DEAD_JOBS}?`)) {
    const dead = jobs.findDead(new URL(request.url, 'http://localhost').searchParams.get('id'));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dead));
    return;
  }
  const found = output.route(pathOf(request.url), request.method);
  if (found.file) sendFile(found, request, response);
  else if (found.function) callFunction(launch(found.function), request, response).catch(() => response.destroy());
  else response.writeHead(found.status).end();
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  const { address, port } = server.address();
  console.log(`Listening on http://${address}:${port}`);
});

process.once('SIGTERM', async () => {
  server.keepAliveTimeout = 1;
  const closed = new Promise((resolve) => server.close(resolve));
  const codes = await Promise.all([...launched.values()].map(async (one) => (await one).stop()));
  await closed;
  process.exitCode = codes.find((code) => code !== 0) ?? 0;
});

function launch(name) {
  const { variables, signals } = jobs || {};
  const given = entryPoint && toEntryPoint(name);
  const launching =
    launched.get(name) ??
    launchFunction(process.cwd(), output.functions.get(name), { entryPoint: given, variables, signals });
  launched.set(name, launching);
  return launching;
}

// The functions for jobs have options of their own, or none.
function toEntryPoint(name) {
  if (name === 'api/jobs') return 'options-jobs.cjs';
  return name === 'api/schedules' ? undefined : entryPoint;
}

// A target in absolute form has its path after the host.
function pathOf(target) {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*/s, '') || '/';
}

function sendFile({ file, type, headers }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': type, ...headers });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
}

// https://vercel.com/docs/functions/limitations#request-body-size
const BODY_LIMIT = 4.5 * 1024 * 1024;

// A function is called with the complete body, as by the launcher's own server in front.
async function callFunction(launching, request, response) {
  const body = Number(request.headers['content-length']) > BODY_LIMIT ? undefined : await readBody(request);
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end('FUNCTION_PAYLOAD_TOO_LARGE');
    return;
  }
  const { port } = await launching;
  const call = forward({
    host: '127.0.0.1',
    port,
    path: request.url,
    method: request.method,
    headers: [...endToEnd(request.rawHeaders), ...forwarded(request), ...framing(request, body)].flat(),
    agent: false,
  });
  call.on('response', (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, endToEnd(answer.rawHeaders).flat());
    // Sends the head at once. flushHeaders() would write it as UTF-8, and its bytes must not change.
    response.write(Buffer.alloc(0));
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  call.on('error', (error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'content-type': 'text/plain' }).end(`FUNCTION_INVOCATION_FAILED ${error.code}`);
  });
  response.on('close', () => call.destroy());
  call.end(body);
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Set by the platform whatever the client sent: https://vercel.com/docs/headers/request-headers
function forwarded({ headers, socket }) {
  return [
    ['x-forwarded-host', headers.host ?? ''],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-for', socket.remoteAddress],
  ];
}

// RFC 9110 section 7.6.1; these headers are only for the client's next hop.
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade', 'expect'];
const replaced = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-for'];

function endToEnd(rawHeaders) {
  const pairs = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    if (!hopByHop.includes(name) && !replaced.includes(name)) pairs.push([rawHeaders[index], rawHeaders[index + 1]]);
  }
  return pairs;
}

function framing({ headers }, body) {
  return headers['transfer-encoding'] === undefined ? [] : [['content-length', String(body.byteLength)]];
}
