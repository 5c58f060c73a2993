import { AsyncLocalStorage } from 'node:async_hooks';
import { codedError } from '../http/coded-error.ts';
import { toBreakable } from '../http/breakable.ts';
import type { Breakable } from '../http/breakable.ts';
import { setCacheHeaders } from '../http/cache-headers.ts';
import type { ToCacheHeaders } from '../http/cache-headers.ts';
import type { Enqueued, JobEnvelope, JobTransaction } from '../jobs/engine.ts';
import { mergeCacheRules, toPathTag } from '../http/merged-cache-rule.ts';
import type { MergedCacheRule } from '../http/merged-cache-rule.ts';
import { requestStore } from './context.ts';
import type { RequestContext } from './context.ts';
import { reportFirst } from './error-report.ts';
import type { ErrorReporter } from './error-report.ts';
import { isDisconnect } from './is-disconnect.ts';
import { keepContext } from './reading-context.ts';
import { unnoticed } from './header-reads.ts';
import type { HeaderReads } from './header-reads.ts';
import { aside, isAside } from './aside.ts';
import { CLIENT_ADDRESS, findUnsaid, isSaid, NONCE, warnOfUnsaid } from './unsaid-reads.ts';
import { resolveOrigin } from './origin.ts';
import { quickHeader } from './quick-request.ts';
import { surelyHasBody } from '../http/quick-response.ts';
import {
  changeHeaders,
  finishHeaders,
  toDefaultHeaders,
  toHeaderChange,
  toVaryChange,
} from '../http/response-headers.ts';
import type { HeaderChange, ResponseHeaders } from '../http/response-headers.ts';
import type { Source } from '../http/responses.ts';
import { pathBelow, pathnameOf } from '../routing/pathname.ts';
import { assertTask, runIsolated } from './tasks.ts';
import type { Task } from './tasks.ts';

/** The information an adapter has about a request in addition to the request itself. */
export interface HostContext {
  /** The name of the host, for messages. Default: none. */
  name?: string | undefined;
  /** Keeps the host running until the promise settles. Default: nothing keeps it running. */
  waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** Stores a job, and resolves once it is stored. Default: jobs cannot be stored. */
  enqueue?: ((envelope: JobEnvelope, transaction?: JobTransaction) => Promise<Enqueued>) | undefined;
  /** The public origin the host vouches for. Default: the origin of `request.url`. */
  origin?: string | undefined;
  /** The environment's name, from the host. Default: `NODE_ENV`. */
  environment?: string | undefined;
  /** The host's own id of the request. Default: a random UUID. */
  requestId?: string | undefined;
  /** The IP address of the client. Default: unknown. */
  clientAddress?: string | undefined;
  /** The environment variables and bindings. Default: `process.env`. */
  env?: Record<string, unknown> | undefined;
  /** The host's own arguments. Default: none. */
  platform?: unknown;
  /**
   * Where the host has mounted the app, such as `/shop`: routes match below it. A mount that is a pattern, as Express
   * allows, is filled by the client's URL. Default, also for an empty text: the base of the build, or the root.
   */
  basePath?: string | undefined;
  /**
   * Whether an error comes from reading a body after the client has disconnected. Default: an `AbortError`, if the
   * signal of the request is aborted.
   */
  isDisconnect?: ((error: unknown) => boolean) | undefined;
  /** Whether `fetch()` keeps the headers of the encoded body after decoding it. */
  decodesFetched?: boolean | undefined;
  /**
   * Whether a Response already has its entire body, on hosts where accessing the body would remove its type. Default:
   * the body is accessed.
   */
  isWhole?: ((response: Response) => boolean) | undefined;
  /** Completes a Response that app code looks at, on hosts that add its type only when they send it. Default: it is complete. */
  complete?: ((response: Response) => Response) | undefined;
  /**
   * Called when a task begins that may outlive the answer, to preserve parts of the request that the host would then
   * drop.
   */
  keep?: ((request: Request) => void) | undefined;
  /** The headers that tell this host's cache how to keep an answer. Default: the standard ones. */
  toCacheHeaders?: ToCacheHeaders | undefined;
  /** Called before an answer that may be kept is returned, with the tags that identify it. Default: it is not kept. */
  onKept?: ((tags: readonly string[]) => void) | undefined;
  /** Called for a failure that the answer does not show, such as in a part of a page. Default: nothing. */
  onFailure?: (() => void) | undefined;
  /** Removes the answers kept under some tags. A path is a tag too. Default: nothing is kept. */
  purge?: ((tags: readonly string[]) => Promise<void>) | undefined;
}

/** The values that are the same for every request of one handler. */
export interface ContextSettings {
  environment: string | undefined;
  /** The base of the build. Empty without one. */
  basePath: string;
  origins: ReadonlySet<string> | undefined;
  report: ErrorReporter;
  /** Creates the same request for another URL. */
  withUrl: (request: Request, url: string) => Request;
  /** Removes answers from a cache in front of the host's. */
  onInvalidate: ((tags: readonly string[]) => unknown) | undefined;
  /** Answers a request made by a route. The hooks are not called. */
  answer(request: Request, host: HostContext): Response | Promise<Response>;
  /** The initial headers of every answer. */
  defaultHeaders: HeaderChange | undefined;
  /** The headers of every page that was finished by the export. */
  prerenderedHeaders: Record<string, string>;
  /** The `Cache-Control` of the config, if it has one. */
  configuredCacheControl: string | undefined;
}

const OURSELVES: Source = { file: 'appkit-server' };

/**
 * The request context that the handler creates. A class, because one is created for each request: no closures, one
 * shape.
 */
export class HandlerContext implements RequestContext {
  readonly basePath: string;
  readonly request: Request;
  /** Whose answer it is. */
  source: Source = OURSELVES;
  /** The pattern of the requested route or page, once that is known. */
  route: string | undefined;
  /** The request header by which the runtime chose the form of the answer: it is in `Vary`, whatever else is set there. */
  variesBy: string | undefined;
  /** The `Cache-Control` for an answer without its own. */
  cacheControl: string | undefined;
  /** Whether app code has thrown something that is not an answer. */
  hasFailed = false;
  /** What it has thrown. */
  failure: unknown;
  /** The last result of `next()`. */
  given: Response | undefined;
  /** The files of the middleware that has run. */
  passed: string[] | undefined;
  /** The cookies that have been set, for `appkit-server/cookies`. */
  cookies: unknown;
  /** The request headers that app code has read, if reads are tracked. */
  reads: HeaderReads | undefined;
  /** Whether reads are not tracked, so that any header may have been read. */
  readsUnnoted = false;
  readonly #host: HostContext;
  readonly #settings: ContextSettings;
  #changes: HeaderChange[] | undefined;
  #deferred: (() => void)[] | undefined;
  #requestId: string | undefined;
  #address: string | undefined;
  #locals: Record<string, unknown> | undefined;
  usedNonce: string | undefined;
  #rule: MergedCacheRule | false | undefined;
  #finished = false;
  /** The headers that a kept answer may depend on while it is being sent: those in `vary`. */
  #varyOfKept: readonly string[] | undefined;
  /** Breaks that answer off. */
  #breakOff: Breakable['breakOff'] | undefined;

  constructor(request: Request, host: HostContext, settings: ContextSettings) {
    this.basePath = host.basePath || settings.basePath;
    this.request = request;
    this.#host = host;
    this.#settings = settings;
  }

  /** Whether an error only says that the client has left. */
  isDisconnect(error: unknown): boolean {
    return isDisconnect(error, this.request, this.#host);
  }

  /** The public origin that the host vouches for. */
  get vouched(): string | undefined {
    return this.#host.origin;
  }

  get decodesFetched(): boolean {
    return this.#host.decodesFetched ?? false;
  }

  /** The same response, with all headers that app code may look at. */
  complete(response: Response): Response {
    return this.#host.complete?.(response) ?? response;
  }

  get prerenderedHeaders(): Record<string, string> {
    return this.#settings.prerenderedHeaders;
  }

  origin(): string {
    const { request } = this;
    const resolve = (): string => resolveOrigin(request, this.#host.origin, this.#settings.origins);
    if (!this.reads) return resolve();
    // Without the header, which few visitors send, it is the same for everyone.
    if (unnoticed(request, () => request.headers.has('origin'))) this.reads.note('origin');
    return unnoticed(request, resolve);
  }

  environment(): string | null {
    const name = this.#settings.environment ?? this.#host.environment ?? globalThis.process?.env['NODE_ENV'];
    return name === undefined || name === '' || name === 'production' ? null : name;
  }

  requestId(): string {
    // A host may read it from a header.
    return (this.#requestId ??= unnoticed(this.request, () => this.#host.requestId) ?? crypto.randomUUID());
  }

  get clientAddress(): string | undefined {
    this.reads?.note(CLIENT_ADDRESS);
    return this.#knowAddress();
  }

  /** Hosts know the address only while the client is connected, and a task may ask for it later. */
  #knowAddress(): string | undefined {
    return (this.#address ??= unnoticed(this.request, () => this.#host.clientAddress));
  }

  get env(): Record<string, unknown> {
    return this.#host.env ?? globalThis.process?.env ?? {};
  }

  get platform(): unknown {
    // It may include the request's headers.
    this.reads?.note('*');
    return this.#host.platform;
  }

  header(name: string): string | null {
    const value = quickHeader(this.request, name);
    if (value === undefined) return this.request.headers.get(name);
    this.reads?.note(name);
    return value;
  }

  peek<Result>(read: (headers: Headers) => Result): Result {
    return unnoticed(this.request, () => read(this.request.headers));
  }

  get locals(): Record<string, unknown> {
    return (this.#locals ??= {});
  }

  nonce(): string {
    if (this.usedNonce === undefined) this.#noteLate(NONCE);
    // A UUID has 122 random bits. CSP recommends at least 128, and two have 244.
    return (this.usedNonce ??= `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', ''));
  }

  setResponseHeaders(headers: ResponseHeaders): void {
    if (this.#finished) {
      throw codedError(
        'ERR_RESPONSE_SENT',
        'setResponseHeaders() was called after the response has already been sent. Call it before the handler returns; ' +
          'a deferred task is too late.',
      );
    }
    (this.#changes ??= []).push(toHeaderChange(headers));
  }

  cache(rule: MergedCacheRule | false): void {
    if (this.#finished) {
      throw codedError(
        'ERR_RESPONSE_SENT',
        'cache() was called after the response has already been sent. Call it before the handler returns.',
      );
    }
    this.#rule = rule && this.#rule ? mergeCacheRules(this.#rule, rule) : this.#rule === false ? false : rule;
  }

  async invalidate(tags: readonly string[]): Promise<void> {
    // First the nearer cache, otherwise the farther one could fetch the old answer from it again.
    await this.#host.purge?.(tags);
    await this.#settings.onInvalidate?.(tags);
  }

  runTask(task: Task): void {
    assertTask('runTask()', task);
    this.#knowAddress();
    this.#keepAlive(this.#run(task));
  }

  deferTask(task: Task): void {
    assertTask('deferTask()', task);
    this.#knowAddress();
    // It runs in the async context in which it was deferred, such as a trace's span.
    const inContext = AsyncLocalStorage.snapshot();
    const start = (): void => this.#startLater(task, inContext);
    // A task defers another one: the response has already been sent.
    if (this.#finished) start();
    else (this.#deferred ??= []).push(start);
  }

  get enqueue(): HostContext['enqueue'] {
    return this.#host.enqueue;
  }

  get hostName(): string | undefined {
    return this.#host.name;
  }

  async dispatch(request: Request): Promise<Response> {
    // Not a copy: the host's values may be on its prototype. A `cache()` call for the other answer does not apply to
    // this one.
    const own = { requestId: this.requestId(), onKept: undefined, onFailure: undefined };
    const host = { __proto__: this.#host, ...own } as HostContext;
    return this.#settings.answer(request, host);
  }

  withUrl(request: Request, url: string): Request {
    return this.#settings.withUrl(request, url);
  }

  noteFailure(): void {
    this.#host.onFailure?.();
  }

  /** Returns the hook's Response, if any, to replace the plain 500. */
  reportError(error: unknown): Response | undefined {
    this.noteFailure();
    return this.isDisconnect(error) ? undefined : this.run(this.#settings.report, error, this.request);
  }

  reportLate(error: unknown): boolean {
    if (this.#finished) reportFirst((late) => this.run(this.#settings.report, late, this.request), error, this.request);
    return this.#finished;
  }

  /** Runs app code, whose helpers find this context. */
  run<Args extends unknown[], Result>(code: (...args: Args) => Result, ...args: Args): Result {
    const store = requestStore();
    return store.getStore() === this ? code(...args) : store.run(this, code, ...args);
  }

  /** Applies what `setResponseHeaders` collected. After this the response is on its way. */
  finish(response: Response): Response {
    this.#finished = true;
    const changes = this.#allChanges(response.status);
    const finished = this.#finishHeaders(response, changes);
    if (!surelyHasBody(finished)) keepContext(finished, this);
    return this.#watch(finished);
  }

  #finishHeaders(response: Response, changes: readonly HeaderChange[] | undefined): Response {
    // It has been changed for this request.
    if (response === this.given) return this.run(changeHeaders, response, changes);
    return this.#changes ? this.run(finishHeaders, response, changes) : finishHeaders(response, changes);
  }

  // From here on, only a stream can still depend on reads: a complete body no longer changes.
  #watch(response: Response): Response {
    const { reads } = this;
    if (this.#varyOfKept === undefined || surelyHasBody(response)) return response;
    if (this.#host.isWhole?.(response) || !response.body) return response;
    const { response: watched, breakOff } = toBreakable(response, response.body);
    this.#breakOff = breakOff;
    if (reads) reads.onLate = (name) => this.#noteLate(name);
    return watched;
  }

  /** The same for the response that replaces one whose changes failed: changes that fail again are skipped. */
  finishInstead(response: Response): Response {
    const changes = this.#allChanges(500)?.map((change) => (headers: Headers) => {
      try {
        change(headers);
      } catch {
        // It has been reported when it failed first.
      }
    });
    return this.run(finishHeaders, response, changes);
  }

  /** Starts what `deferTask` collected. */
  startDeferred(): void {
    if (this.#deferred) for (const start of this.#deferred) start();
  }

  #allChanges(status: number): readonly HeaderChange[] | undefined {
    const { defaultHeaders } = this.#settings;
    const said = defaultHeaders ? [defaultHeaders, ...(this.#changes ?? [])] : this.#changes;
    const changes = this.#rule === undefined ? said : [...(said ?? []), this.#toCacheChange(this.#rule, status)];
    const { variesBy, cacheControl } = this;
    if (variesBy === undefined && cacheControl === undefined) return changes;
    return [
      ...(changes ?? []),
      ...(variesBy === undefined ? [] : [toVaryChange(variesBy)]),
      ...(cacheControl === undefined ? [] : [toDefaultHeaders({ 'cache-control': cacheControl })]),
    ];
  }

  // HEAD gets the same headers as GET. Answers to other methods are not kept.
  #toCacheChange(rule: MergedCacheRule | false, status: number): HeaderChange {
    const { request, reads } = this;
    const { configuredCacheControl, prerenderedHeaders } = this.#settings;
    return (headers) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      const tags = rule ? [toPathTag(pathBelow(this.basePath, pathnameOf(request.url)) ?? '/'), ...rule.tags] : [];
      const unsaid = rule ? this.#findUnsaid(rule) : undefined;
      if (unsaid !== undefined && reads && this.environment() === 'development') {
        warnOfUnsaid(this.route ?? pathnameOf(request.url), unsaid);
      }
      const isKept = setCacheHeaders(headers, rule, {
        status,
        isPersonal: unsaid !== undefined,
        defaults: [configuredCacheControl, prerenderedHeaders['cache-control']],
        tags,
        toCacheHeaders: this.#host.toCacheHeaders,
      });
      if (rule && isKept) this.#varyOfKept = rule.vary;
      if (isKept) this.#host.onKept?.(tags);
    };
  }

  #findUnsaid({ vary }: MergedCacheRule): string | undefined {
    if (this.usedNonce !== undefined) return NONCE;
    return this.readsUnnoted ? '*' : findUnsaid(this.request, this.reads, vary);
  }

  // Caches were told that the answer is for everyone, and may have begun to keep it, so it is aborted. An error thrown
  // by the read itself would end the process if nothing awaits the code that reads.
  #noteLate(name: string): void {
    if (!this.#breakOff || isSaid(name, this.#varyOfKept ?? [], this.request) || isAside()) return;
    const what =
      name === '*'
        ? 'All request headers'
        : name === NONCE || name === CLIENT_ADDRESS
          ? name
          : `The request header ${name}`;
    const error = codedError(
      'ERR_HEADER_LATE',
      `${what} came too late: ${this.route ?? pathnameOf(this.request.url)} was streaming an answer that caches may keep, and was broken off. Read ` +
        'before the first await of what is streamed, name a header in vary, or call cache(false).',
    );
    if (!this.#breakOff(error)) return;
    this.noteFailure();
    reportFirst(this.#settings.report, error, this.request);
  }

  // A turn of the event loop later, so that a computing task does not delay the response it follows.
  #startLater(task: Task, inContext: <Result>(code: () => Result) => Result): void {
    const turn = new Promise<void>((resolve) => setTimeout(resolve));
    this.#keepAlive(turn.then(() => inContext(() => this.run(() => this.#run(task)))));
  }

  #run(task: Task): Promise<void> {
    return aside(this.request, () => runIsolated(task, (error) => this.#settings.report(error, this.request)));
  }

  #keepAlive(promise: Promise<void>): void {
    this.#host.keep?.(this.request);
    this.#host.waitUntil?.(promise);
  }
}
