import { toManifest } from 'appkit-build/development';
import type { AppDescription } from 'appkit-build/development';
import type { StatusError } from 'appkit-server';
import type { ServerBuild } from 'appkit-server/manifest';
import type { HostedCall, LoadedLines, SitePages } from '../site.ts';
import { ERROR, GONE, PAGE_HEADER, UNSAID } from './in-host.ts';
import { createRests } from './rests.ts';

/** What a host sends about a request, in a header. */
interface SentCall extends Pick<HostedCall, 'file' | 'params' | 'nonce' | 'isWhole'> {
  method: string;
  url: string;
  /** More of the loaders' results follows, in requests of their own. */
  id?: string;
}

/** What a host sends with a later part of a loader's results. */
interface SentRest {
  restOf: string;
}

/** What the pages need besides their modules. */
export interface HostedOptions {
  onError(error: unknown, request: Request): Response;
  /** Answers a loader that runs here and calls a route: the routes are in the host. */
  fetchFromHost(request: Request): Promise<Response>;
  /** The jobs of the app: such a loader may store them. */
  jobs: AppDescription['jobs'];
}

/** The server build that renders pages for a host, which requests them all by one path: a header names the page. */
export function toHostedBuild(pages: SitePages, { onError, fetchFromHost, jobs }: HostedOptions): ServerBuild {
  const rests = createRests();
  const render = async (sent: Request, { method, url, id, ...call }: SentCall): Promise<Response> => {
    const { headers, signal } = sent;
    const own = new Headers(headers);
    own.delete(PAGE_HEADER);
    // They describe the results, unless the visitor's own body was sent.
    if (!call.isWhole) own.delete('content-type');
    own.delete('content-length');
    const hasBody = sent.method === 'POST';
    const body = hasBody && call.isWhole ? await sent.arrayBuffer() : null;
    const request = new Request(url, { method, headers: own, signal, body });
    try {
      const first = hasBody && !call.isWhole ? await sent.text() : undefined;
      const lines: LoadedLines | undefined =
        first === undefined ? undefined : { first, ...(id && { rest: rests.take(id, signal) }) };
      const answer = pages.hosted[call.file];
      // A page that was just removed.
      return (await answer?.({ ...call, request, lines })) ?? new Response('Not found', { status: 404 });
    } catch (error) {
      if (!isStatusError(error)) return onError(error, request);
      const { status, message, body } = error;
      return Response.json({ status, message, body }, { headers: { [PAGE_HEADER]: ERROR } });
    }
  };
  const answer = async (sent: Request): Promise<Response> => {
    const told = sent.headers.get(PAGE_HEADER);
    if (told === null) return fetchFromHost(sent);
    const call = JSON.parse(decodeURIComponent(told)) as SentCall | SentRest; // written by in-host.ts
    if (!('restOf' in call)) return render(sent, call);
    return new Response(null, { status: rests.add(call.restOf, await sent.text()) ? 204 : GONE });
  };
  const route = {
    file: 'route',
    output: 'route',
    pattern: '/[...path]',
    bytes: 0,
    usesCache: false,
  };
  const manifest = toManifest(
    {
      routes: [{ ...route, methods: [...METHODS] }],
      middleware: [],
      jobs: jobs.map((job) => ({ ...job, output: job.file })),
      usesContext: false,
    },
    {
      implicitHead: false,
      strictFetch: true,
      headers: { 'cache-control': UNSAID },
      pages: [{ pattern: '/', file: 'page', hasAction: true }],
    },
  );
  return {
    manifest,
    modules: {
      page: () => ({ GET: answer, POST: answer }),
      route: () => Object.fromEntries(METHODS.map((method) => [method, fetchFromHost])),
    },
  };
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Recognises a `StatusError` of any copy of appkit-server, and of appkit-router. */
function isStatusError(error: unknown): error is StatusError {
  return typeof error === 'object' && error !== null && Object.hasOwn(error, Symbol.for('appkit.StatusError'));
}
