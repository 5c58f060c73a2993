import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServerHandler } from '../_fetch/server-handler.ts';
import type { ServerHandler } from '../_fetch/server-handler.ts';
import type { ConnectedJobs, JobEngine } from '../../runtime/host.ts';
import { withoutBody } from '../_http/without-body.ts';
import { collectErrors } from './collected-errors.ts';
import { loadSources } from './load-sources.ts';
import type { AppSources } from './load-sources.ts';
import { untilAborted } from './until-aborted.ts';

/** The origin of the paths that a test requests. */
const ORIGIN = 'http://localhost';

/** Options of {@link createTestApp}. */
export interface TestAppOptions {
  /** The app's folder, which contains `app.json`, as a path or file URL. Default: the folder in which the test runs. */
  app?: string | URL | undefined;
  /** What `environment()` returns; `production` becomes `null`. Default: `test`. */
  environment?: string | undefined;
  /** The origins that `origin()` may take from a request's `Origin` header, as for an adapter. Default: any. */
  origins?: readonly string[] | undefined;
  /**
   * Stores the app's jobs and runs them, as for an adapter: `createSqliteJobs({ file: ':memory:' })` keeps them in the
   * process. `settled()` does not wait for jobs, and `close()` stops them. Default: `enqueue()` rejects.
   */
  jobs?: JobEngine | undefined;
  /**
   * Called with every error that no route handled, and with the error of every failed task, as for an adapter.
   * `fetch()` then returns what a client would get. Default: an error makes `fetch()`, `settled()` or `close()` reject
   * with it.
   */
  onError?: ((error: unknown, request: Request) => unknown) | undefined;
}

/** An app that answers the requests of a test. */
export interface TestApp extends AsyncDisposable {
  /**
   * Answers a request as a host does. Redirects are not followed, and no cookie is kept between requests.
   *
   * @param input – a path such as `/hello`, resolved against `http://localhost`, a URL, or a Request.
   * @returns the answer, possibly before tasks have ended.
   * @throws the error that made the answer a 500, unless the app has `onError`.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /**
   * Imports a module of the app, by its path in the app. The result is the module that the app's routes import; a
   * module that the test itself imports is another copy.
   *
   * @throws what the module throws when it runs.
   */
  import<Module = Record<string, unknown>>(file: string): Promise<Module>;
  /**
   * Resolves when no task of `runTask` or `deferTask` is in progress any more.
   *
   * @throws an error that a task, a job, or a part of a page has reported since the last call, unless the app has `onError`.
   */
  settled(): Promise<void>;
  /**
   * Waits for tasks, then ends open streams and the app. `await using` calls it too.
   *
   * @throws as `settled()` does.
   */
  close(): Promise<void>;
}

/**
 * Runs the TypeScript sources of an app for tests, with vitest, `node:test` or `bun test`: `fetch()` answers in the process of the test.
 *
 * ```ts
 * await using app = await createTestApp();
 * const response = await app.fetch('/hello');
 * ```
 *
 * Each app has its own modules, so no state is shared between apps. The app needs `appkit-cli` and `vite`; `NODE_ENV`
 * becomes `test` when it is not set.
 *
 * @throws CodedError ERR_TEST_APP when they are not installed; ExportError when the app could not be exported.
 */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { app = '.' } = options;
  // Vite would make it `development`, and most test runners set this.
  process.env['NODE_ENV'] ??= 'test';
  const sources = await loadSources(
    app instanceof URL || app.startsWith('file:') ? fileURLToPath(app) : path.resolve(app),
  );
  try {
    return toTestApp(sources, options);
  } catch (error) {
    await sources.close();
    throw error;
  }
}

function toTestApp(sources: AppSources, options: TestAppOptions): TestApp {
  const errors = collectErrors();
  const jobs = options.jobs && endLater(options.jobs);
  const handler = createHandler(sources, { ...options, jobs, onError: options.onError ?? errors.add });
  const closing = new AbortController();
  const close = async (): Promise<void> => {
    await handler.drain();
    closing.abort();
    await handler.drain();
    await jobs?.end();
    await sources.close();
    errors.throwRest();
  };
  let closed: Promise<void> | undefined;
  // An error is thrown once: `await using` after a `close()` that has thrown it has nothing to add.
  const closeOnce = (): Promise<void> => closed?.catch(() => undefined) ?? (closed = close());
  return {
    fetch: async (input, init) => {
      const request = toRequest(input, init, closing.signal);
      const answer = async (): Promise<Response> => {
        const response = await errors.during(() => sources.answerFile(request) ?? handler(request));
        return request.method === 'HEAD' ? withoutBody(response) : response;
      };
      return init?.signal ? untilAborted(init.signal, answer) : answer();
    },
    import: <Module>(file: string) => sources.load(file) as Promise<Module>,
    async settled() {
      await handler.drain();
      errors.throwRest();
    },
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  };
}

function createHandler(
  { build }: AppSources,
  { environment = 'test', origins, jobs, onError }: TestAppOptions,
): ServerHandler<unknown> {
  const toUrl = ({ url }: Request): string => url;
  // An answer kept in one test must not be sent in the next.
  // The proxy whose X-Forwarded-For chooses the client's address is the test.
  return createServerHandler({ build, environment, origins, onError, trustProxy: 1 }, () => toUrl, {
    name: 'createTestApp()',
    cache: false,
    addressOf: () => '127.0.0.1',
    jobs,
  });
}

/**
 * Wraps an engine so that it goes on after `drain()`, with which `settled()` waits for tasks, until `end()` is called.
 */
function endLater(engine: JobEngine): JobEngine & { end(): Promise<void> } {
  let connected: ConnectedJobs | undefined;
  return {
    connect(app) {
      connected = engine.connect(app);
      return { ...connected, drain: async () => {} };
    },
    end: async () => connected?.drain(),
  };
}

function toRequest(input: string | URL | Request, init: RequestInit | undefined, closing: AbortSignal): Request {
  const request = input instanceof Request ? new Request(input, init) : new Request(new URL(input, ORIGIN), init);
  return new Request(request, { signal: AbortSignal.any([request.signal, closing]) });
}
