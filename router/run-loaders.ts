import { discard } from './discard.ts';
import { listenToPromises } from './listen-to-promises.ts';
import type { LayoutModule, PageModule } from './site.ts';
import { createStatusError } from './status-error.ts';

/** The results of the loaders of a page. */
export interface Loaded {
  /** The data of each layout, the outermost first, and of the page. */
  data: unknown[];
  /** The outermost failure. */
  failure?: { level: number; error: unknown };
  /** The result of the action. */
  actionData?: unknown;
  /** A loader, or the action, redirects the visitor. */
  redirect?: Response;
  /** The status that came with the data. */
  status?: number;
  /** The headers that came with the data. */
  headers: [name: string, value: string][];
}

/** Which loaders run, with their arguments. */
export interface LoaderCall {
  request: Request;
  params: Record<string, string>;
  /** The requested levels. Default: all. */
  levels?: ReadonlySet<number> | undefined;
}

/** Runs the loaders of a page and its layouts, all at once, and for a POST the action before them. */
export async function runPage(modules: readonly (LayoutModule | PageModule)[], call: LoaderCall): Promise<Loaded> {
  const { request, params } = call;
  const { action } = modules.at(-1) as PageModule; // the last one is the page's
  if (request.method !== 'POST' || !action) return runLoaders(modules, call);
  const outcome = await run(() => action(request, params));
  const { response } = outcome;
  if (response && isRedirect(response)) return { data: [], headers: [], redirect: response };
  const loaded = await runLoaders(modules, { ...call, request: withoutBody(request) });
  if (loaded.redirect) return response ? { ...loaded, redirect: withCookies(loaded.redirect, [response]) } : loaded;
  loaded.actionData = outcome.data;
  if ('error' in outcome) loaded.failure = { level: modules.length - 1, error: outcome.error };
  if (response) {
    loaded.status = response.status;
    loaded.headers.push(...toHeaders(response));
  }
  return loaded;
}

/** The request for loaders after an action: the same, without the body that was sent. */
function withoutBody({ url, headers, signal }: Request): Request {
  const kept = new Headers(headers);
  for (const name of ['content-type', 'content-length', 'transfer-encoding']) kept.delete(name);
  // Its own signal would follow the first one only until the request is garbage collected (nodejs/undici#3644).
  return Object.defineProperty(new Request(url, { headers: kept, signal }), 'signal', { value: signal });
}

async function runLoaders(
  modules: readonly (LayoutModule | PageModule)[],
  { request, params, levels }: LoaderCall,
): Promise<Loaded> {
  const outcomes = await Promise.all(
    modules.map(async ({ loader }, level): Promise<Outcome> =>
      loader && (levels?.has(level) ?? true) ? run(() => loader(request, params)) : {},
    ),
  );
  const loaded: Loaded = { data: [], headers: [] };
  const responses = outcomes.flatMap(({ response }) => response ?? []);
  const redirect = responses.find(isRedirect);
  if (redirect) {
    const others = responses.filter((response) => !isRedirect(response));
    return { ...loaded, redirect: withCookies(redirect, others) };
  }
  for (const [level, outcome] of outcomes.entries()) {
    const { response } = outcome;
    loaded.data.push(outcome.data);
    if ('error' in outcome) loaded.failure ??= { level, error: outcome.error };
    if (!response) continue;
    loaded.status = response.status;
    loaded.headers.push(...toHeaders(response));
  }
  return loaded;
}

/** A redirect that also sets the cookies of other responses, whose data are not sent: a session may be new or over. */
function withCookies(redirect: Response, others: readonly Response[]): Response {
  const cookies = others.flatMap(({ headers }) => headers.getSetCookie());
  if (cookies.length === 0) return redirect;
  const { status, body } = redirect;
  const headers = new Headers(redirect.headers);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(body, { status, headers });
}

/** The headers that describe the body of a loader's Response. That body is not sent unchanged. */
const OF_THE_BODY = new Set(['content-type', 'content-length', 'content-encoding', 'etag', 'last-modified']);

function toHeaders({ headers }: Response): [name: string, value: string][] {
  return [...headers].filter(([name]) => !OF_THE_BODY.has(name));
}

interface Outcome {
  data?: unknown;
  error?: unknown;
  /** A returned or thrown value that is not data. */
  response?: Response;
}

async function run(code: () => unknown): Promise<Outcome> {
  try {
    const data = await code();
    if (data instanceof Response) return await readResponse(data);
    listenToPromises(data);
    return { data };
  } catch (thrown) {
    if (!(thrown instanceof Response)) return { error: thrown };
    return readThrown(thrown).catch((error: unknown) => ({ error }));
  }
}

/** The data in a Response: JSON, or none. */
async function readResponse(response: Response): Promise<Outcome> {
  if (isRedirect(response)) return { response };
  if (WITHOUT_BODY.has(response.status)) {
    const message = `A loader or an action returned a Response with status ${response.status}, which has no body, but its page has one.`;
    throw new TypeError(`${message} Return the data or nothing.`);
  }
  if (response.body === null) return { response };
  const type = response.headers.get('content-type') ?? '';
  if (JSON_TYPE.test(type)) return { data: await response.json(), response };
  await discard(response.body);
  const message = `A loader or an action returned a Response with ${type || 'no Content-Type'}, which is not data for its page.`;
  throw new TypeError(`${message} Return the data or Response.json(data). For any other answer write a route.`);
}

/** A thrown Response is a redirect, or an error whose text the client may see. */
async function readThrown(response: Response): Promise<Outcome> {
  if (isRedirect(response)) return { response };
  const { status, headers } = response;
  if (status < 400) {
    await discard(response.body);
    const place = status >= 300 ? ' without a Location' : '';
    const message = `A loader or an action threw a Response with status ${status}${place}, which is neither a redirect nor an error.`;
    throw new TypeError(`${message} Return the data or Response.json(data).`);
  }
  // On Bun (1.4), a text body has no type until it is sent.
  const isText = /^(?:text\/plain\b|$)/i.test(headers.get('content-type') ?? '');
  const text = isText ? await response.text() : '';
  if (!isText) await discard(response.body);
  return {
    error: createStatusError(status, text || response.statusText || `Status ${status}`),
    response: new Response(null, { status, headers }),
  };
}

// Fetch Standard, 2.2.3: null body status.
const WITHOUT_BODY = new Set([204, 205, 304]);

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}
