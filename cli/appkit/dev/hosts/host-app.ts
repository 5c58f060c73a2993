import type { IncomingMessage, ServerResponse } from 'node:http';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { bundleForDevelopment, toConstants } from 'appkit-build/development';
import type { DevelopmentBundle, ViteTools } from 'appkit-build/development';
import { formatProblem } from 'appkit-build/problem';
import { createStaticFiles } from 'appkit-server/static';
import type { ViteDevServer } from 'vite';
import { printWarning } from '../../report/error.ts';
import type { DevApp } from '../dev-app.ts';
import { fetchFromHost } from './fetch-from-host.ts';
import { forward } from './forward.ts';
import type { BuiltCode, HostRunner, RunnerOptions, RunningBuild } from './host-runner.ts';
import { ERROR_HEADER } from './in-host.ts';
import type { SentError, ToldError } from './in-host.ts';
import { toJobsOfHost } from './jobs-of-host.ts';
import type { JobsOfHost } from './jobs-of-host.ts';
import { toSourceError } from './source-stack.ts';

/** The routes and the middleware of an app, and the loaders of its pages, running in the runtime of a host. */
export interface HostApp {
  /** The name of the host. */
  name: string;
  /** Answers a request with the app's current files. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** The same for a request of code in this process. */
  fetch(request: Request): Promise<Response>;
  /** Whether what runs depends on a file. */
  has(file: string): boolean;
  /** A file has changed: requests wait until the app is updated. */
  hold(): void;
  /** Bundles the app again and runs it, if anything in it has changed.
   *
   * @param files – the changed files.
   */
  update(app: Pick<DevApp, 'description' | 'pages'>, files: ReadonlySet<string>): Promise<HostUpdate>;
  /** Nothing can be run: every request is answered with the reason. */
  fail(error: unknown): void;
  /** Its jobs, if they are kept where `appkit start` keeps them without a host. */
  jobs: JobsOfHost | undefined;
  close(): Promise<void>;
}

/** What a change has led to in a host. */
export interface HostUpdate {
  /** Whether it was started again. */
  isNew: boolean;
  /** Whether the loaders or actions of pages, or what they use, are others than before. */
  hasNewLoaders: boolean;
}

/** How often in a row a process that ends is started again without a request. */
const MAX_RESTARTS = 3;

/**
 * How long code in this process may take to begin to read an answer of a replaced process, in milliseconds. A body that nobody can
 * read ends its exchange only once it is collected, which may take dozens of changes.
 */
const UNREAD_MS = 5000;

/** The options of a {@link HostApp}. */
export interface HostAppOptions {
  projectRoot: string;
  mark: string;
  isSecure: boolean;
  createRunner(onLine: RunnerOptions['onLine']): HostRunner;
  /** The development server of the pages, once it has started. */
  vite(): ViteDevServer;
  /** Answers a failed request. */
  answerError(error: unknown, request: IncomingMessage, response: ServerResponse): void;
  /** Prints an error of a request. */
  onError(error: unknown, request: Pick<ToldError, 'method' | 'url'>): void;
}

/** Makes the app of a host. Requests wait for its first update. */
export function createHostApp(options: HostAppOptions): HostApp {
  const { projectRoot, mark, isSecure, vite, answerError, onError } = options;
  let bundle: DevelopmentBundle | undefined;
  let failure: unknown;
  let running: Used | undefined;
  let restarting: Promise<void> | undefined;
  let held: Gate | undefined = createGate();
  let isClosed = false;
  /** How often the process has been started again without a change or a request. */
  let restarts = 0;
  let changes = 0;
  let work: Promise<unknown> = Promise.resolve();
  const assetFolder = path.join(projectRoot, '.appkit/hosts/assets');
  const assets = createStaticFiles(assetFolder, { live: true });
  let cleared: Promise<void> | undefined;

  const toError = (sent: SentError, root: string): unknown =>
    toSourceError(sent, { projectRoot, root, maps: bundle?.maps ?? new Map() });
  const onLine = (line: string, code: BuiltCode): void => {
    if (!line.startsWith(`${mark} `)) return console.log(line);
    const { error, method, url } = JSON.parse(line.slice(mark.length)) as ToldError; // written by in-host.ts
    onError(toSourceError(error, { projectRoot, ...code }), { method, url });
  };
  const runner = options.createRunner(onLine);

  let warned = '';
  const warnOnce = ({ loadersInNode }: DevelopmentBundle): void => {
    const reasons = loadersInNode.map((problem) => `\n  ${formatProblem(problem)}`).join('');
    if (reasons !== '' && reasons !== warned)
      printWarning(
        `Loaders and actions of pages run in Node, since they cannot be bundled for ${runner.name}:${reasons}`,
      );
    warned = reasons;
  };
  const isOfHost = (file: string): boolean =>
    path.dirname(file) === projectRoot && runner.configFiles.includes(path.basename(file));

  const run = async (next: DevelopmentBundle): Promise<void> => {
    const former = running;
    // No job begins in old code from now on, and those that the next build stores are left to it.
    await former?.jobs?.pause();
    const used = toUsed(await runner.run(next));
    bundle = next;
    running = used;
    former?.retire();
    void used.jobs?.ended.then(() => goOn(used));
  };
  const restart = (): Promise<void> => {
    restarting ??= (bundle ? run(bundle) : Promise.resolve()).finally(() => (restarting = undefined));
    return restarting;
  };
  /** Jobs wait for no request: when code of the app has ended the process, it is started again, unless it ends each time. */
  const goOn = (ended: Used): void => {
    if (running !== ended || failure || isClosed) return;
    if (++restarts > MAX_RESTARTS) {
      printWarning(`Code of the app ends ${runner.name} again and again. The next request starts it once more.`);
      return;
    }
    printWarning(`Code of the app has ended ${runner.name}. It is started again.`);
    // If that fails, the next request is answered with the reason.
    whenRunning().catch(() => undefined);
  };
  /** Resolves when the running build has every known change. */
  const whenSettled = async (): Promise<void> => {
    if (!held) return;
    await held.opened;
    // Meanwhile there may have been another change.
    await whenSettled();
  };
  const release = (): void => {
    held?.open();
    held = undefined;
  };
  const update = async (
    { description, pages }: Pick<DevApp, 'description' | 'pages'>,
    files: ReadonlySet<string>,
  ): Promise<HostUpdate> => {
    const wanted = changes;
    restarts = 0;
    const isConfigured = [...files].some(isOfHost);
    if (isConfigured) runner.forgetConfig();
    try {
      const inWorkerd = runner.name === 'cloudflare';
      const next = await bundleForDevelopment(description, { manifest: pages, tools: toViteTools(vite()), inWorkerd });
      // An earlier start may have copied what is secret by now.
      await (cleared ??= rm(assetFolder, { recursive: true, force: true }));
      await copyAssets(next, assetFolder);
      warnOnce(next);
      const isSame = !failure && !isConfigured && isDeepStrictEqual(next.files, bundle?.files);
      const hasNewLoaders = !isDeepStrictEqual(pagesOf(next), bundle && pagesOf(bundle));
      if (!isSame) await run(next);
      failure = undefined;
      return { isNew: !isSame, hasNewLoaders };
    } catch (error) {
      failure = error;
      await running?.jobs?.pause();
      throw error;
    } finally {
      // If there was another change meanwhile, another update follows.
      if (wanted === changes) release();
    }
  };
  /** For an error that no code of the app has reported. */
  const refuse = (error: unknown, request: IncomingMessage, response: ServerResponse): void => {
    onError(error, { method: request.method ?? '', url: request.url ?? '' });
    answerError(error, request, response);
  };
  const whenRunning = async (): Promise<Used> => {
    await whenSettled();
    if (!failure && (running?.isGone || running?.hasEnded())) await restart();
    if (failure || !running) throw failure;
    return running;
  };
  const send = async (request: IncomingMessage, response: ServerResponse, isSecondTime: boolean): Promise<void> => {
    restarts = 0;
    const used = await whenRunning();
    const { url, root } = used;
    used.begin();
    forward(request, response, {
      url,
      isSecure,
      takes(answer) {
        if (answer.headers[ERROR_HEADER] !== mark) return false;
        for (const [header, value] of toKeptHeaders(answer.rawHeaders)) response.appendHeader(header, value);
        // The answer to HEAD has no body; a line of the output reported the error too.
        json(toDecoded(answer)).then(
          (sent) => answerError(toError(sent as SentError, root), request, response),
          () => response.writeHead(500).end(),
        );
        return true;
      },
      onRefused(error) {
        // The process has ended. Its connections show it before its exit event.
        used.isGone = true;
        if (isSecondTime) refuse(error, request, response);
        else answer(request, response, { isSecondTime: true });
      },
      onFailure: (error) => refuse(error, request, response),
      onEnd: used.end,
    });
  };

  const answer = (request: IncomingMessage, response: ServerResponse, { isSecondTime = false } = {}): void => {
    send(request, response, isSecondTime).catch((error: unknown) => refuse(error, request, response));
  };

  const fetchOnce = async (request: Request, isSecondTime: boolean): Promise<Response> => {
    restarts = 0;
    const used = await whenRunning();
    used.begin();
    let isConnected = false;
    try {
      return await fetchFromHost(request, {
        to: used.url,
        onConnect: () => (isConnected = true),
        onEnd: used.end,
        unread: used.unread,
      });
    } catch (error) {
      if (isConnected || isSecondTime || request.signal.aborted) throw error;
      // As in `send`.
      used.isGone = true;
      return fetchOnce(request, true);
    }
  };
  const fetch: HostApp['fetch'] = (request) => fetchOnce(request, false);

  return {
    name: runner.name,
    fetch,
    jobs: runner.name === 'cloudflare' ? undefined : toJobsOfHost(mark, fetch),
    answer: (request, response) => assets(request, response, () => answer(request, response)),
    has: (file) => (bundle?.sources.has(file) ?? false) || isOfHost(file),
    hold() {
      changes++;
      held ??= createGate();
    },
    update(app, files) {
      const updated = work.then(() => update(app, files));
      // One update after the other.
      work = updated.catch(() => undefined);
      return updated;
    },
    fail(error) {
      failure = error;
      void running?.jobs?.pause();
      release();
    },
    close() {
      isClosed = true;
      return runner.close();
    },
  };
}

/** The files of the loaders. They name the chunks that they use by hashes, which change with all that these use. */
function pagesOf({ files }: DevelopmentBundle): [file: string, code: string][] {
  return [...files].filter(([file]) => file.startsWith('_appkit/pages/'));
}

/** What loaders have of Vite: its environment, and the constants, aliases and plugins of the app's configuration. */
function toViteTools({ config, environments }: ViteDevServer): ViteTools {
  return {
    env: JSON.stringify({ ...config.env, SSR: true }),
    constants: toConstants(environments.ssr.config.define),
    async resolve(specifier, importer) {
      const found = await environments.ssr.pluginContainer.resolveId(specifier, importer);
      return found && path.isAbsolute(found.id) ? found.id : undefined;
    },
  };
}

/** The server in front of workerd compresses if the client accepts it. */
function toDecoded(answer: IncomingMessage): Readable {
  const coding = answer.headers['content-encoding'];
  const decoder = coding === 'gzip' ? createGunzip() : coding === 'br' ? createBrotliDecompress() : undefined;
  // Whoever reads the last stream sees a failure.
  return decoder ? pipeline(answer, decoder, () => undefined) : answer;
}

/** Headers that describe the body of an answer. That body is replaced. */
const OF_BODY =
  /^(?:content-.*|transfer-encoding|cache-control|connection|keep-alive|date|vary)$|^appkit-development-error$/i;

/** The headers that stay when the body is replaced: cookies, and the headers of the config. */
function toKeptHeaders(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? '']] : [],
  );
  return pairs.filter(([name]) => !OF_BODY.test(name));
}

async function copyAssets({ assets }: DevelopmentBundle, folder: string): Promise<void> {
  for (const { source, file } of assets) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(source, target);
  }
}

/** A build that is running, and how many requests it is answering. */
interface Used extends RunningBuild {
  /** Whether it no longer accepts connections. */
  isGone: boolean;
  /** Its answers to code in this process of which nothing has been read yet. */
  unread: Set<IncomingMessage>;
  begin(): void;
  end(): void;
  /** Releases it once its requests have ended. */
  retire(): void;
}

function toUsed(running: RunningBuild): Used {
  let requests = 0;
  let isRetired = false;
  const unread: Used['unread'] = new Set();
  const dropLater = (): void => {
    const waiting = new Set(unread);
    const drop = (): void => {
      const seconds = UNREAD_MS / 1000;
      const reason = new Error(`The app has changed, and nobody has read this answer for ${seconds} seconds.`);
      for (const answer of waiting) if (unread.has(answer)) answer.destroy(reason);
      // An answer may begin only now.
      if (requests > 0) dropLater();
    };
    setTimeout(drop, UNREAD_MS).unref();
  };
  const settle = (): void => {
    if (isRetired && requests === 0) running.release();
  };
  return {
    ...running,
    isGone: running.hasEnded(),
    unread,
    begin: () => void requests++,
    end() {
      requests--;
      settle();
    },
    retire() {
      isRetired = true;
      settle();
      if (requests > 0) dropLater();
    },
  };
}

/** A promise to wait for, with its functions. */
interface Gate {
  opened: Promise<void>;
  open(): void;
}

function createGate(): Gate {
  const gate: Gate = { opened: Promise.resolve(), open: () => undefined };
  gate.opened = new Promise((resolve) => (gate.open = resolve));
  return gate;
}
