// Serves a project as AWS does: with the function of template.yaml, through its Function URL, its API or a load
// balancer.
import { cpSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { sendAnswer } from './answer.mjs';
import { fronts, toEvent } from './event.mjs';
import { startJobs } from './jobs.mjs';
import { startRuntime } from './runtime.mjs';
import { createSignals } from './signals.mjs';
import { findFront, readTemplate } from './template.mjs';

const project = process.cwd();
const template = readTemplate(project);
const { web } = template;
const [given] = process.argv.slice(2);
const front = fronts[findFront(web)];

// Next to the project, where its node_modules are out of reach.
const folder = mkdtempSync(path.join(project, '../function-'));
cpSync(path.join(project, '.aws-sam/build/Server'), folder, { recursive: true });
cpSync(path.join(project, 'host/options.mjs'), path.join(folder, 'options.mjs'));
const signals = template.jobs && createSignals();
const jobs =
  template.jobs && (await startJobs(folder, template, { Handler: given && given.replace(/\.\w+$/, '.jobs'), signals }));
const runtime = await startRuntime(
  folder,
  { ...web, Handler: given ?? web.Handler },
  { variables: jobs?.variablesOf(web), signals },
);

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    // The most frequent trace of a client that has left.
    if (!response.destroyed) console.error(error);
    response.destroy();
  });
});
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  const { address, port } = server.address();
  console.log(`Listening on http://${address}:${port}`);
});

process.once('SIGTERM', async () => {
  server.keepAliveTimeout = 1;
  server.close();
  await runtime.stop();
  process.exit();
});

async function answer(request, response) {
  if (jobs && request.url.startsWith(`${process.env.APPKIT_DEAD_JOBS}?`)) {
    const dead = jobs.findDead(new URL(request.url, 'http://localhost').searchParams.get('id'));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dead));
    return;
  }
  const target = toTarget(request);
  if (target === undefined) {
    response.writeHead(400).end();
    return;
  }
  const event = await toEvent(request, target, front);
  if (event === undefined) response.writeHead(413, { connection: 'close' }).end('Request too large');
  else await sendAnswer(await runtime.invoke(event), response, front);
}

// The network in front finds the function by the Host header, so the function never sees an invalid one.
function toTarget({ url, headersDistinct }) {
  const [host, second] = headersDistinct.host ?? [];
  const isHost = second === undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host);
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return isHost && target.startsWith('/') && URL.canParse(`http://${host}${target}`) ? target : undefined;
}
