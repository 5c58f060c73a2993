import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

// Runs what `wrangler deploy --dry-run --outdir <folder>` has written, in miniflare, which starts workerd:
// node serve.mjs <folder> <main module>
const [folder, main] = process.argv.slice(2);
const requireTool = createRequire(path.join(process.env.APPKIT_TOOLS, 'package.json'));
const { Miniflare } = requireTool('miniflare');

const config = JSON.parse(await readFile('config.json', 'utf8'));
const root = path.resolve(folder);
const { HOST, PORT } = process.env;

const miniflare = new Miniflare({
  host: HOST,
  port: Number(PORT),
  // A request.cf of its own, without asking Cloudflare.
  cf: false,
  rootPath: root,
  modulesRoot: root,
  modules: await listModules(),
  compatibilityDate: config.compatibility_date,
  compatibilityFlags: config.compatibility_flags,
  bindings: variables(),
  // The queues of the configuration. The queue of dead jobs is delivered to dead-jobs.mjs, so that the suite can read
  // it.
  queueProducers: Object.fromEntries(config.queues.producers.map(({ binding, queue }) => [binding, queue])),
  queueConsumers: Object.fromEntries(config.queues.consumers.flatMap(toConsumers)),
  // For bindings(), next to the variables.
  kvNamespaces: ['CONFORMANCE_STORE'],
  assets: { directory: path.resolve(config.assets.directory), routerConfig: { has_user_worker: true } },
});

const { origin } = await miniflare.ready;
console.log(`Listening on ${origin}`);

// Miniflare's own listener ends the process with 143.
process.removeAllListeners('SIGTERM');
process.once('SIGTERM', () => miniflare.dispose());

function toConsumers({ queue, dead_letter_queue, max_batch_size, max_batch_timeout, max_retries }) {
  const consumer = { maxBatchSize: max_batch_size, maxBatchTimeout: max_batch_timeout, maxRetries: max_retries };
  const consumers = [[queue, { ...consumer, deadLetterQueue: dead_letter_queue }]];
  return main.startsWith('options.') ? [...consumers, [dead_letter_queue, consumer]] : consumers;
}

async function listModules() {
  const entry = { type: 'ESModule', path: path.join(root, main) };
  if (!config.no_bundle) return [entry];
  const modules = [];
  for await (const file of glob('**/*.{js,mjs}', { cwd: root })) {
    const rule = config.rules.find(({ globs }) => globs.some((pattern) => path.matchesGlob(file, pattern)));
    if (file !== main) modules.push({ type: rule?.type ?? 'ESModule', path: path.join(root, file) });
  }
  return [entry, ...modules];
}

// As in a deployed Worker: the variables it was given, without those of the machine.
function variables() {
  const ofTheMachine = new Set(['HOME', 'TMPDIR', 'PATH', 'HOST', 'PORT', 'APPKIT_TOOLS']);
  const isOwn = ([name]) => !ofTheMachine.has(name) && !/^(WRANGLER|CLOUDFLARE)_/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(isOwn));
}
