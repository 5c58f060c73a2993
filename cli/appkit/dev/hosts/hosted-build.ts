import { PassThrough } from 'node:stream';
import { toManifest } from 'appkit-build/development';
import type { ServerBuild } from 'appkit-server/manifest';
import type { HostedCall, LoadedLines, SitePages } from '../site.ts';
import { PAGE_HEADER } from './in-host.ts';

/** What a host sends about a request, in a header. */
interface SentCall extends Pick<HostedCall, 'file' | 'params' | 'nonce'> {
  method: string;
  url: string;
  /** More of the loaders' results follows, in requests of their own. */
  id?: string;
}

/** What a host sends with a later part of a loader's results. */
interface SentRest {
  restOf: string;
}

/** The server build that renders pages for a host. All its requests are for one path: a header names the page. */
export function toHostedBuild(pages: SitePages, onError: (error: unknown, request: Request) => Response): ServerBuild {
  const rests = createRests();
  const render = async (sent: Request, { method, url, id, ...call }: SentCall): Promise<Response> => {
    const { headers, signal } = sent;
    const own = [...headers].filter(([name]) => name !== PAGE_HEADER && !name.startsWith('content-'));
    const request = new Request(url, { method, headers: own, signal });
    try {
      const first = sent.method === 'POST' ? await sent.text() : undefined;
      const lines: LoadedLines | undefined =
        first === undefined ? undefined : { first, ...(id && { rest: rests.take(id, signal) }) };
      const answer = pages.hosted[call.file];
      // A page that was just removed.
      return (await answer?.({ ...call, request, lines })) ?? new Response('Not found', { status: 404 });
    } catch (error) {
      return onError(error, request);
    }
  };
  const answer = async (sent: Request): Promise<Response> => {
    const told = decodeURIComponent(sent.headers.get(PAGE_HEADER) ?? '');
    const call = JSON.parse(told) as SentCall | SentRest; // written by in-host.ts
    if (!('restOf' in call)) return render(sent, call);
    rests.add(call.restOf, await sent.text());
    return new Response(null, { status: 204 });
  };
  const manifest = toManifest(
    { routes: [], middleware: [], jobs: [] },
    { implicitHead: false, strictFetch: true, pages: [{ pattern: '/', file: 'page', hasAction: true }] },
  );
  return { manifest, modules: { page: () => ({ GET: answer, POST: answer }) } };
}

/** Puts the later parts of loaders' results together. A part may overtake the request that it belongs to. */
function createRests(): {
  take(id: string, signal: AbortSignal): AsyncIterable<string>;
  add(id: string, line: string): void;
} {
  const rests = new Map<string, { lines: PassThrough; isTaken: boolean }>();
  const restOf = (id: string): { lines: PassThrough; isTaken: boolean } => {
    const rest = rests.get(id) ?? { lines: new PassThrough({ objectMode: true }), isTaken: false };
    rests.set(id, rest);
    return rest;
  };
  const forget = (id: string): void => {
    const { lines, isTaken } = restOf(id);
    if (isTaken && lines.writableEnded) rests.delete(id);
  };
  return {
    take(id, signal) {
      const rest = restOf(id);
      rest.isTaken = true;
      forget(id);
      signal.addEventListener('abort', () => rest.lines.destroy());
      return rest.lines;
    },
    add(id, line) {
      const { lines } = restOf(id);
      if (line === '') lines.end();
      else lines.write(line);
      forget(id);
    },
  };
}
