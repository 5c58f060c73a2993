import { codedError } from './coded-error.ts';
import { isTaken } from './quick-response.ts';
import { statusesWithoutBody } from './status-error.ts';

/** One of the runtime's own short answers. */
export function textResponse(status: number, text: string, headers?: Record<string, string>): Response {
  return new Response(text, { status, headers: { ...headers, 'content-type': 'text/plain' } });
}

/** What returned a Response, for messages: a middleware, or a function of a route. */
export interface Source {
  file: string;
  name?: string;
}

/**
 * Checks that user code has returned a Response that can be sent, and converts it to one of this realm.
 *
 * @throws TypeError when it cannot be sent.
 */
export function toNativeResponse(value: unknown, source: Source): Response {
  if (!isResponse(value)) {
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${nameOf(source)} returned ${describe(value)} instead of a Response. Return new Response(…) or Response.json(…).`,
    );
  }
  if (isUpgrade(value)) return value;
  if (value.status < 200 || value.status > 599) {
    // 0 is Response.error(). Bun (1.4) also makes Responses with 1xx, which do not end a request.
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${nameOf(source)} gave a Response of status ${value.status}. Give one from 200 to 599.`,
    );
  }
  if (statusesWithoutBody.includes(value.status) && value.body) {
    // Other platforms refuse to create one: Fetch, "initialize a response". Bun (1.4) creates it and sends the body.
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${nameOf(source)} gave a Response of status ${value.status} with a body, which that status cannot have.`,
    );
  }
  if (isTaken(value)) {
    throw codedError(
      'ERR_RESPONSE_INVALID',
      `${nameOf(source)} gave a Response whose body has already been read, sent or taken by other code. Make a new one for each request, or give its clone().`,
    );
  }
  if (value instanceof Response) return value;
  // A Response of another realm or a ponyfill: hosts accept only their own class.
  const { status, statusText, headers, body } = value as Response;
  return new Response(toNativeStream(body), { status, statusText, headers: [...headers] });
}

/**
 * A stream of this realm. Node (24) iterates any other, and fails outside of every promise when it is cancelled while it
 * waits, which ends the process.
 */
function toNativeStream(body: Response['body']): Response['body'] {
  if (body === null || body instanceof ReadableStream) return body;
  const other: Partial<ReadableStream<Uint8Array<ArrayBuffer>>> = body;
  // The body of some ponyfills is a stream of Node.
  if (typeof other.getReader !== 'function') return body;
  const reader = other.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Whether a value is a Response, perhaps of another realm: by its tag. */
export function isResponse(value: unknown): value is Response {
  return value instanceof Response || Object.prototype.toString.call(value) === '[object Response]';
}

/**
 * Whether a Response turns the connection into a WebSocket: one with a `webSocket` on Cloudflare, or that of
 * `Deno.upgradeWebSocket()`, which Deno takes only as the same object. Deno and Bun also make Responses of status 101 that
 * upgrade nothing.
 */
export function isUpgrade(response: Response): boolean {
  if (response.status !== 101 || !(response instanceof Response) || 'Bun' in globalThis) return false;
  if ((response as { webSocket?: unknown }).webSocket) return true;
  // Its own headers, also if middleware has been given others.
  return (Reflect.get(Response.prototype, 'headers', response) as Headers).has('upgrade');
}

function nameOf({ file, name }: Source): string {
  return name === undefined ? `The middleware ${file}` : `${name} of ${file}`;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return typeof value === 'object' ? `an object of type ${value.constructor?.name ?? 'Object'}` : `a ${typeof value}`;
}
