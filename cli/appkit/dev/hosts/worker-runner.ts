import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DevelopmentBundle } from 'appkit-build/development';
import { CommandError } from '../../command-error.ts';
import { findTool } from '../../deploy/find-tool.ts';
import { printWarning } from '../../report/error.ts';
import type { HostRunner, HostSettings, RunnerOptions } from './host-runner.ts';

/** What we use of wrangler. */
interface Wrangler {
  unstable_getMiniflareWorkerOptions(configFile: string): {
    workerOptions: WorkerOptions;
    externalWorkers: readonly object[];
  };
}

/** What we read of a Worker's options. */
interface WorkerOptions {
  bindings?: Record<string, unknown>;
  durableObjects?: Record<string, { scriptName?: string }>;
  assets?: { binding?: string };
  queueProducers?: Record<string, unknown>;
}

/** What we use of miniflare, 4 or 5. */
interface MiniflareApi {
  Miniflare: new (options: object) => MiniflareInstance;
  /** Only in 5, which has other options. */
  convertV4MiniflareOptions?(options: object): object;
}

interface MiniflareInstance {
  ready: Promise<URL>;
  setOptions(options: object): Promise<void>;
  dispose(): Promise<void>;
}

const CONFIG_FILES = ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml'];

/**
 * Makes a runner of server builds in workerd, with the miniflare of the app's wrangler and the bindings of its config.
 *
 * @throws CommandError when wrangler is not installed, or the app has no wrangler config.
 */
export function createWorkerRunner({ projectRoot, settings, variables, onLine }: RunnerOptions): HostRunner {
  const requireTool = findWrangler(projectRoot);
  const configFile = CONFIG_FILES.map((name) => path.join(projectRoot, name)).find((file) => existsSync(file));
  if (configFile === undefined) {
    throw new CommandError(
      'appkit start --host cloudflare needs the config of the Worker, and there is no wrangler.jsonc.',
      'Write one: npx appkit init --host cloudflare',
    );
  }
  const { unstable_getMiniflareWorkerOptions: readOptions } = requireTool('wrangler') as Wrangler;
  const { Miniflare, convertV4MiniflareOptions } = requireTool('miniflare') as MiniflareApi;
  const root = path.join(projectRoot, '.appkit/hosts/cloudflare');
  const state = path.join(projectRoot, '.wrangler/state/v3');
  const warned = new Set<string>();
  let miniflare: MiniflareInstance | undefined;
  // Wrangler warns each time it reads the config.
  let config: ReturnType<typeof readOptions> | undefined;

  const readConfig = (): ReturnType<typeof readOptions> => {
    try {
      return readOptions(configFile);
    } catch (error) {
      throw toConfigError(error, configFile);
    }
  };
  const toOptions = async ({ files, maps }: DevelopmentBundle): Promise<object> => {
    config ??= readConfig();
    const { workerOptions, externalWorkers } = config;
    const { bindings, durableObjects = {}, assets, ...options } = workerOptions;
    // Durable Object classes are in the entry of the Worker, which is not run here.
    const [own, others] = divide(Object.entries(durableObjects), ([, { scriptName }]) => scriptName === undefined);
    for (const [name] of own) {
      if (!warned.has(name)) printWarning(`The Durable Object ${name} is not there: wrangler dev runs its class.`);
      warned.add(name);
    }
    const worker = {
      ...options,
      name: 'app',
      durableObjects: Object.fromEntries(others),
      bindings: { NODE_ENV: process.env['NODE_ENV'], ...variables, ...bindings },
      ...toAssets(projectRoot, assets),
      modulesRoot: root,
      modules: [
        ...(await listOwnModules(root, settings, { hasQueue: 'JOBS' in (options.queueProducers ?? {}) })),
        ...toModules(root, files),
      ],
    };
    const all = {
      host: '127.0.0.1',
      port: 0,
      // Miniflare's own request.cf, without a request to Cloudflare.
      cf: false,
      handleStructuredLogs: ({ message }: { message: string }) => onLine(message, { root, maps }),
      // Where wrangler dev keeps its data: the option's name in miniflare 5, and in 4.
      resourcePersistencePath: state,
      defaultPersistRoot: state,
      workers: [worker, ...externalWorkers],
    };
    return convertV4MiniflareOptions ? convertV4MiniflareOptions(all) : all;
  };

  return {
    name: 'cloudflare',
    configFiles: [...CONFIG_FILES, '.dev.vars'],
    forgetConfig: () => void (config = undefined),
    async run(bundle) {
      const options = await toOptions(bundle);
      if (miniflare) await miniflare.setOptions(options);
      else miniflare = withoutSignals(() => new Miniflare(options));
      const url = await miniflare.ready;
      return { url, root, hasEnded: () => false, release: () => undefined };
    },
    close: async () => miniflare?.dispose(),
  };
}

/** Repeats wrangler's message and place, without wrangler's own stack. */
function toConfigError(error: unknown, file: string): Error {
  const { message, location } = Object(error) as { message?: unknown; location?: { line?: number; column?: number } };
  const readable = new Error(`Wrangler cannot read ${path.basename(file)}: ${String(message)}. Correct it.`);
  readable.stack = '';
  const loc = { file, line: location?.line ?? 1, column: (location?.column ?? 1) - 1 };
  return Object.assign(readable, { loc });
}

/** Miniflare ends the process at a signal, before other code can react. */
function withoutSignals<Made>(make: () => Made): Made {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.flatMap((signal) => process.listeners(signal));
  const made = make();
  for (const signal of signals) {
    for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
  }
  return made;
}

function findWrangler(projectRoot: string): NodeJS.Require {
  const tool = findTool({ name: 'wrangler', package: 'wrangler' }, projectRoot);
  if (!tool) {
    throw new CommandError(
      'appkit start --host cloudflare needs wrangler, which is not installed.',
      'Install it in the folder of the app: npm install --save-dev wrangler@4',
    );
  }
  // Use the packages that wrangler was built with.
  return createRequire(realpathSync(tool.args[0] ?? tool.file));
}

/** The files of an export do not exist here. Requests for files of `public` do not reach the Worker. */
function toAssets(projectRoot: string, assets: WorkerOptions['assets']): { assets?: object } {
  const directory = path.join(projectRoot, 'public');
  return assets?.binding !== undefined && existsSync(directory) ? { assets: { ...assets, directory } } : {};
}

interface WorkerModule {
  type: 'ESModule' | 'CommonJS' | 'Text';
  path: string;
  contents: string;
}

/** The entry, which comes first, and what it imports of ours. */
async function listOwnModules(
  root: string,
  settings: HostSettings,
  { hasQueue }: { hasQueue: boolean },
): Promise<WorkerModule[]> {
  const entry = `import { createRequestHandler } from './adapter.js';
${hasQueue ? "import { createCloudflareJobs } from './jobs.js';\n" : ''}import { providePages, toAdapterOptions } from './in-host.js';
import build from './server/index.js';
const settings = ${JSON.stringify(settings)};
providePages(settings);
export default createRequestHandler({ build${hasQueue ? ', jobs: createCloudflareJobs()' : ''}, ...toAdapterOptions(settings) });
`;
  const read = (specifier: string): Promise<string> => readFile(fileURLToPath(import.meta.resolve(specifier)), 'utf8');
  const toModule = (name: string, contents: string): WorkerModule => ({
    type: 'ESModule',
    path: path.join(root, name),
    contents,
  });
  return [
    toModule('entry.js', entry),
    toModule('adapter.js', await read('appkit-server/adapter/cloudflare')),
    toModule('in-host.js', await read('./in-host.js')),
    ...(hasQueue ? [toModule('jobs.js', await read('appkit-server/jobs/cloudflare'))] : []),
  ];
}

function toModules(root: string, files: DevelopmentBundle['files']): WorkerModule[] {
  return [...files]
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, contents]) => ({ type: 'CommonJS', path: path.join(root, 'server', name), contents }));
}

function divide<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
