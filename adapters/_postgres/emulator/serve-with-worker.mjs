// A function that stores jobs, started by the command in the arguments, and a server elsewhere that runs them. The jobs' signals are in that server's
// memory: requests for them go there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import { createInterface } from 'node:readline';

const { DATABASE_URL: database, APPKIT_DATABASES: placeFile } = process.env;

// The first process, which has no database, starts a PostgreSQL.
const worker = await start(['node', 'postgres.mjs']);
const functions = await start(process.argv.slice(2), {
  DATABASE_URL: database ?? readFileSync(placeFile, 'utf8'),
});

const server = createServer(async (request, response) => {
  if (request.url.startsWith('/spans')) return void joinSpans(request, response);
  const body = request.url === '/jobs/enqueue' ? Buffer.concat(await request.toArray()) : undefined;
  if (body?.length > 0) await acceptOnce(JSON.parse(body));
  const url = new URL(request.url.startsWith('/signals/') ? worker : functions);
  const { method, url: path, headers } = request;
  const sent = send({ host: url.hostname, port: url.port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders);
    answer.pipe(response);
  });
  sent.on('error', () => response.destroy());
  if (body) sent.end(body);
  else request.pipe(sent);
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  const { address, port } = server.address();
  console.log(`Listening on http://${address}:${port}`);
});

/** A job that is to accept an input once remembers that in its own process. */
async function acceptOnce({ job, input }) {
  if (job === 'changing') await fetch(`${worker}/signals/${input}-accepted`, { method: 'PUT' });
}

/** Each process has its own part of a trace. */
async function joinSpans({ url }, response) {
  const lists = await Promise.all([worker, functions].map(async (origin) => (await fetch(origin + url)).json()));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(lists.flat()));
}

/** Resolves with the URL of a server, and passes its later output on. */
async function start([program, ...args], env) {
  const child = spawn(program, args, {
    env: { ...process.env, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill());
  child.once('exit', () => process.exit(1));
  const lines = createInterface(child.stdout);
  const [first] = await once(lines, 'line');
  lines.on('line', (line) => console.log(line));
  return /Listening on (http:\S+)/.exec(first)[1];
}
