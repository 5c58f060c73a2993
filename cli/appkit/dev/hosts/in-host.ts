// Runs in the host: in Bun, Deno and workerd. It imports nothing.
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
} {
  return {
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

/** Makes the function that the modules of pages call: the process of `appkit start` renders them. */
export function providePages({ pagesUrl }: HostSettings): void {
  const answer = ({ method, url, headers, body }: Request): Promise<Response> => {
    const { protocol, host, pathname, search } = new URL(url);
    const sent = new Headers(headers);
    for (const name of ['host', 'connection']) sent.delete(name);
    // The answer to the browser is compressed here.
    sent.set('accept-encoding', 'identity');
    sent.set('x-forwarded-host', host);
    sent.set('x-forwarded-proto', protocol.slice(0, -1));
    const init: RequestInit & { duplex: 'half' } = { method, headers: sent, body, redirect: 'manual', duplex: 'half' };
    return fetch(pagesUrl + pathname + search, init);
  };
  Object.assign(globalThis, { [Symbol.for('appkit.developmentPage')]: answer });
}

/** The module of every page in the server build. */
export const PAGE_CODE =
  "'use strict';\nexports.GET = (request) => globalThis[Symbol.for('appkit.developmentPage')](request);\nexports.POST = exports.GET;\n";

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
