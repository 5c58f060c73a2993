import { DATA_PARAMETER, REDIRECT_HEADER } from 'appkit-server/match';
import { withBase, withoutBase } from './base.ts';
import { toServerError } from './given-error.ts';
import { createDataReader, readParts } from './read-data.ts';
import type { GivenFailure } from './given-error.ts';
import type { Site, SitePage } from './site.ts';

/** The server's answer to a request for the data of a page. */
export type DataAnswer =
  | ({ kind: 'data' } & PageData)
  | { kind: 'redirect'; location: string }
  /** It does not come from the page: perhaps middleware refused the request, or the server could not be reached. */
  | { kind: 'error'; error: unknown }
  /** It is not an answer of this app: perhaps a page of another release, or a login page of a proxy. */
  | { kind: 'document' };

/** The renderer's answer to a request for data. */
export interface PageData {
  /** The data of each layout, the outermost first, and of the page. */
  data: readonly unknown[];
  /** What the action has returned. */
  actionData?: unknown;
  failure?: GivenFailure;
  /** The entry of the client that the server sends with its documents. */
  client: string;
}

/** Options of a request for the data of a page. */
export interface FetchDataOptions {
  signal?: AbortSignal | undefined;
  /** Ask the server, not the caches on the way. */
  isFresh: boolean;
  /** What a form sends. */
  body?: BodyInit | undefined;
}

/** The levels of a page whose data must be requested: those with a loader, except layouts that keep their data. */
export function findAsked({ layouts, hasLoader }: SitePage, { kept }: { kept: number }): number[] {
  return [...layouts, { hasLoader }].flatMap((part, index) => (part.hasLoader && index >= kept ? [index] : []));
}

/** The URL of the data of these levels of a page. */
export function toDataUrl(site: Site, url: URL, { page, asked }: { page: SitePage; asked: readonly number[] }): URL {
  const isAll = asked.length === findAsked(page, { kept: 0 }).length;
  const dataUrl = new URL(url);
  if (site.data === 'files') {
    dataUrl.search = '';
    const path = (withoutBase(url.pathname) ?? '').replace(/\/$/, '') || '/index';
    dataUrl.pathname = withBase(`/_appkit/data${path}.json`);
  } else {
    // URLSearchParams would write the page's own query in another way than a document's URL has it.
    dataUrl.search += `${dataUrl.search === '' ? '?' : '&'}${DATA_PARAMETER}=${isAll ? '' : asked.join('.')}`;
  }
  dataUrl.hash = '';
  return dataUrl;
}

/** Requests the data of a page from the server. It rejects only when the signal is aborted. */
export async function fetchData(url: string, { signal, isFresh, body }: FetchDataOptions): Promise<DataAnswer> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // Following a redirect would fetch a document.
      redirect: 'manual',
      ...(body === undefined ? {} : { method: 'POST', body }),
      ...(isFresh ? { cache: 'no-cache' } : {}),
      ...(signal ? { signal } : {}),
    });
    return await toAnswer(response);
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: 'error', error };
  }
}

async function toAnswer(response: Response): Promise<DataAnswer> {
  const { headers, ok, type, body } = response;
  const location = headers.get(REDIRECT_HEADER);
  if (location !== null) return { kind: 'redirect', location };
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
  // The host itself may redirect the user, and an answer without data comes from a server that does not have this page.
  if (type === 'opaqueredirect' || (ok && !isJson)) return { kind: 'document' };
  const lines = toLines(body);
  const { value: first = '' } = await lines.next();
  // Our data are a list; the error of a route or of middleware is an object.
  if (!isJson || !first.startsWith('['))
    return ok ? { kind: 'document' } : toError(response, first + (await rest(lines)));
  const reader = createDataReader();
  const answer = reader.read(first) as PageData; // written by the renderer
  void readParts(reader, lines);
  return { kind: 'data', ...answer };
}

/** Yields the lines of a body, including a last one without a line feed. */
async function* toLines(body: Response['body']): AsyncGenerator<string, void> {
  const source = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value = '' } = (await source?.read()) ?? { done: true };
    const lines = (text + value).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
    if (!done) continue;
    if (text !== '') yield text;
    return;
  }
}

async function rest(lines: AsyncGenerator<string, void>): Promise<string> {
  let text = '';
  for await (const line of lines) text += `\n${line}`;
  return text;
}

function toError({ status, statusText, headers }: Response, text: string): DataAnswer {
  // A document of a proxy or of the host is no message.
  const isMarkup = /html|xml/i.test(headers.get('content-type') ?? '');
  const message = isMarkup ? statusText || `Status ${status}` : toMessage(text);
  return { kind: 'error', error: toServerError({ message, status }) };
}

function toMessage(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    // In development it contains more than a message.
    const { message } = Object(error) as { message?: unknown };
    return [error, message, text].find((part) => typeof part === 'string') as string; // the last one is
  } catch {
    return text;
  }
}
