import type { LayoutModule, PageModule } from './site.ts';
import { createStatusError } from './status-error.ts';

/** What the loaders of a page have come to. */
export interface Loaded {
  /** Of each layout, the outermost first, and of the page. */
  data: unknown[];
  /** The outermost that has failed. */
  failure?: { level: number; error: unknown };
  /** A loader sends the visitor elsewhere. */
  redirect?: Response;
  /** The status that a loader has given with its data. */
  status?: number;
  /** The headers that loaders have given with their data. */
  headers: [name: string, value: string][];
}

/** Which loaders are run, and with what. */
export interface LoaderCall {
  request: Request;
  params: Record<string, string>;
  /** The levels that are asked for. Default: all. */
  levels?: ReadonlySet<number> | undefined;
}

/** Runs the loaders of a page and its layouts, all at once. */
export async function runLoaders(
  modules: readonly (LayoutModule | PageModule)[],
  { request, params, levels }: LoaderCall,
): Promise<Loaded> {
  const outcomes = await Promise.all(
    modules.map(async ({ loader }, level): Promise<Outcome> =>
      loader && (levels?.has(level) ?? true) ? runLoader(() => loader(request, params)) : {},
    ),
  );
  const loaded: Loaded = { data: [], headers: [] };
  for (const [level, outcome] of outcomes.entries()) {
    const { response } = outcome;
    if (response && isRedirect(response)) return { ...loaded, redirect: response };
    loaded.data.push(outcome.data);
    if ('error' in outcome) loaded.failure ??= { level, error: outcome.error };
    if (!response) continue;
    loaded.status = response.status;
    loaded.headers.push(...[...response.headers].filter(([name]) => !OF_THE_BODY.has(name)));
  }
  return loaded;
}

/** The headers that describe the body of a loader's Response, which is not sent as it is. */
const OF_THE_BODY = new Set(['content-type', 'content-length', 'content-encoding', 'etag', 'last-modified']);

interface Outcome {
  data?: unknown;
  error?: unknown;
  /** What a loader has returned or thrown in place of data. */
  response?: Response;
}

async function runLoader(run: () => unknown): Promise<Outcome> {
  try {
    const data = await run();
    return data instanceof Response ? await readResponse(data) : { data };
  } catch (thrown) {
    return thrown instanceof Response ? readThrown(thrown) : { error: thrown };
  }
}

/** The data in a Response: JSON, or none. */
async function readResponse(response: Response): Promise<Outcome> {
  if (isRedirect(response) || response.body === null) return { response };
  const type = response.headers.get('content-type') ?? '';
  if (JSON_TYPE.test(type)) return { data: await response.json(), response };
  await response.body.cancel();
  const message = `A loader returned a Response with ${type || 'no Content-Type'}, which is no data for its page.`;
  throw new TypeError(`${message} Return the data or Response.json(data). For any other answer write a route.`);
}

/** A Response that is thrown is a redirect, or an error whose text the client may know. */
async function readThrown(response: Response): Promise<Outcome> {
  if (response.status < 400) return { response };
  const { status, headers } = response;
  const isText = /^text\/plain\b/i.test(headers.get('content-type') ?? '');
  const text = isText ? await response.text() : '';
  if (!isText) await response.body?.cancel();
  return {
    error: createStatusError(status, text || response.statusText || `Status ${status}`),
    response: new Response(null, { status, headers }),
  };
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/i;

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location');
}
