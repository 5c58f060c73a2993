import { DATA_PARAMETER, REDIRECT_HEADER } from 'appkit-server/match';
import { toServerError } from './given-error.ts';
import { createDataReader } from './read-data.ts';
import type { DataReader } from './read-data.ts';
import type { GivenFailure } from './given-error.ts';
import type { Site, SitePage } from './site.ts';

/** What the server says to a request for the data of a page. */
export type DataAnswer =
  | ({ kind: 'data' } & PageData)
  | { kind: 'redirect'; location: string }
  /** It does not come from the page: middleware has refused the request, perhaps, or the server could not be reached. */
  | { kind: 'error'; error: unknown }
  /** It is none of ours: a page of another release, perhaps, or a login page of a proxy. */
  | { kind: 'document' };

/** What the renderer answers to a request for data. */
export interface PageData {
  /** Of each layout, the outermost first, and of the page. */
  data: readonly unknown[];
  /** What the action has returned. */
  actionData?: unknown;
  failure?: GivenFailure;
  /** The entry of the client that the server sends with its documents. */
  client: string;
}

/** How the data of a page are asked for. */
export interface FetchDataOptions {
  signal?: AbortSignal | undefined;
  /** Ask the server whether it has newer ones than the caches on the way. */
  isFresh: boolean;
  /** What a form sends. */
  body?: BodyInit | undefined;
}

/** The levels of a page whose data have to be asked for: those with a loader, but for the layouts that keep the data they have. */
export function findAsked({ layouts, hasLoader }: SitePage, { kept }: { kept: number }): number[] {
  return [...layouts, { hasLoader }].flatMap((part, index) => (part.hasLoader && index >= kept ? [index] : []));
}

/** Where the data of these levels of a page are. */
export function toDataUrl(site: Site, url: URL, { page, asked }: { page: SitePage; asked: readonly number[] }): URL {
  const isAll = asked.length === findAsked(page, { kept: 0 }).length;
  const dataUrl = new URL(url);
  if (site.data === 'files') {
    dataUrl.search = '';
    dataUrl.pathname = `/_appkit/data${url.pathname.replace(/\/$/, '') || '/index'}.json`;
  } else dataUrl.searchParams.append(DATA_PARAMETER, isAll ? '' : asked.join('.'));
  dataUrl.hash = '';
  return dataUrl;
}

/** Asks the server for the data of a page. It rejects only when the signal is aborted. */
export async function fetchData(url: string, { signal, isFresh, body }: FetchDataOptions): Promise<DataAnswer> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // To follow a redirect would be to fetch a document.
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
  // A host itself may send the user elsewhere, and an answer that is no data comes from a server without this page.
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

/** Gives the lines of a body, the last one without a line feed too. */
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

async function readParts(reader: DataReader, lines: AsyncGenerator<string, void>): Promise<void> {
  let reason: unknown = new Error('The server has ended the answer before all of its data were there.');
  try {
    for await (const line of lines) reader.readPart(line);
  } catch (error) {
    reason = error;
  }
  for (const id of reader.waiting()) reader.fail(id, reason);
}

function toError({ status }: Response, text: string): DataAnswer {
  return { kind: 'error', error: toServerError({ message: toMessage(text), status }) };
}

function toMessage(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    // In development it has more to it than a message.
    const { message } = Object(error) as { message?: unknown };
    return [error, message, text].find((part) => typeof part === 'string') as string; // the last one is
  } catch {
    return text;
  }
}
