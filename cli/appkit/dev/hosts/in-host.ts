// Runs in the host: in Bun, Deno and workerd. It imports nothing.
import type { LoadedLines } from '../site.ts';
import type { HostSettings } from './host-runner.ts';

/** An error as JSON. */
export interface SentError {
  /** Whether it was an Error. */
  isError: boolean;
  name: string;
  message: string;
  stack: string;
  cause?: SentError;
}

/** The line of the output that reports an error. */
export interface ToldError {
  error: SentError;
  method: string;
  url: string;
}

/** The header of an answer that stands for an error. */
export const ERROR_HEADER = 'appkit-development-error';

/** The options of the adapter: they report each error by a line of the output, and to the client that waits for an answer. */
export function toAdapterOptions({ mark, isSecure }: HostSettings): {
  onError(error: unknown, request: Request): Response;
  trustProxy: number;
  cache: false;
} {
  return {
    // Each request is answered with the last saved files, and the host does not notice changes of components.
    cache: false,
    onError(error, { method, url }) {
      const sent = toSent(error);
      console.log(`${mark} ${JSON.stringify({ error: sent, method, url })}`);
      // The server in front reads it, so no adapter should compress it.
      const headers = { [ERROR_HEADER]: mark, 'cache-control': 'no-transform' };
      return new Response(JSON.stringify(sent), { status: 500, headers });
    },
    trustProxy: isSecure ? 1 : 0,
  };
}

/** The header that tells the process of `appkit start` which page to render; in its answer, what is missing for that. */
export const PAGE_HEADER = 'appkit-development-page';

/** The value of that header when the host answers, with the error in the body. */
export const ERROR = 'error';

/** The `Cache-Control` of a page that says nothing about caches: the host decides. */
export const UNSAID = 'appkit-development-unsaid';

/** The status of an answer to data that nobody waits for any more. */
export const GONE = 410;

/** Headers that describe this request's connection or body. `Origin` and `Sec-Fetch-…` have been checked here. */
const NOT_SENT = /^(?:connection|content-.*|host|origin|sec-fetch-.*|transfer-encoding)$/;

/** Makes the function that the modules of pages call: the process of `appkit start` renders them. */
export function providePages({ pagesUrl }: HostSettings): void {
  const send = (told: object, headers: Headers, body?: string | ArrayBuffer): Promise<Response> => {
    headers.set(PAGE_HEADER, encodeURIComponent(JSON.stringify(told)));
    const init: RequestInit = { headers, redirect: 'manual' };
    return fetch(`${pagesUrl}/`, body === undefined ? init : { ...init, method: 'POST', body });
  };
  // Each in a request of its own: some hosts give an answer only when they have sent the whole request.
  const sendRest = async (id: string, rest: AsyncIterable<string>): Promise<void> => {
    for await (const line of rest) {
      const { status } = await send({ restOf: id }, new Headers(), line);
      if (status === GONE) return;
    }
    await send({ restOf: id }, new Headers(), '');
  };
  const render = async (
    request: Request,
    page: { isWhole: boolean },
    { first, rest }: Partial<LoadedLines> = {},
  ): Promise<unknown> => {
    const { method, url, headers } = request;
    const { protocol, host } = new URL(url);
    const sent = new Headers([...headers].filter(([name]) => !NOT_SENT.test(name)));
    // The answer to the browser is compressed here.
    sent.set('accept-encoding', 'identity');
    sent.set('x-forwarded-host', host);
    sent.set('x-forwarded-proto', protocol.slice(0, -1));
    const id = rest && crypto.randomUUID();
    const hasBody = page.isWhole && request.body !== null;
    const type = headers.get('content-type');
    if (hasBody && type !== null) sent.set('content-type', type);
    const answered = send({ ...page, method, url, id }, sent, hasBody ? await request.arrayBuffer() : first);
    // If that fails, the page waits for it until the browser leaves.
    const restSent = rest && id ? sendRest(id, rest).catch(() => undefined) : undefined;
    const response = await answered;
    const told = response.headers.get(PAGE_HEADER);
    if (told === null) return toOwnAnswer(response, restSent);
    if (told === ERROR) return response.json();
    await response.body?.cancel();
    return told;
  };
  Object.assign(globalThis, { [Symbol.for('appkit.developmentPage')]: render });
}

function toOwnAnswer(response: Response, restSent: Promise<void> | undefined): Response {
  // Those of an answer from fetch() cannot be changed.
  const headers = new Headers(response.headers);
  if (headers.get('cache-control') === UNSAID) headers.delete('cache-control');
  const { status, body } = response;
  return new Response(restSent ? endingAfter(restSent, body) : body, { status, headers });
}

/** A body that code here sends, until the work is done: workerd ends what no code of a request waits for. */
function endingAfter(work: Promise<void>, body: Response['body']): ReadableStream<Uint8Array> {
  const reader = body?.getReader();
  return new ReadableStream({
    async pull(controller) {
      const read = await reader?.read();
      if (read?.value) return controller.enqueue(read.value);
      await work;
      controller.close();
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}

function toSent(error: unknown): SentError {
  if (!(error instanceof Error)) return { isError: false, name: 'Thrown', message: toText(error), stack: '' };
  const { name, message, stack = '', cause } = error;
  const isNew = cause !== undefined && cause !== error;
  return { isError: true, name, message, stack, ...(isNew && { cause: toSent(cause) }) };
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
