import { Readable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isResponse, isUpgrade, toNativeResponse } from './responses.ts';

const source = { file: 'users+api.js', name: 'GET' };

/** A Response of a ponyfill. */
const ponyfill = (own: object): object => ({
  status: 200,
  statusText: '',
  headers: new Headers(),
  body: null,
  bodyUsed: false,
  [Symbol.toStringTag]: 'Response',
  ...own,
});

it('makes a Response of a ponyfill one of the platform', async () => {
  const given = ponyfill({
    status: 599,
    statusText: 'Made',
    headers: new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]),
    body: new Response('body').body,
  });
  expect(isResponse(given)).toBe(true);
  const response = toNativeResponse(given, source);
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.statusText, response.headers.getSetCookie(), await response.text()]).toEqual([
    599,
    'Made',
    ['a=1', 'b=2'],
    'body',
  ]);
});

it('takes a subclass for what it is', () => {
  class Page extends Response {
    get [Symbol.toStringTag](): string {
      return 'Page';
    }
  }
  const page = new Page();
  expect(toNativeResponse(page, source)).toBe(page);
});

it.each([
  [ponyfill({ status: 199 }), 'GET of users+api.js gave a Response of status 199. Give one from 200 to 599.'],
  [ponyfill({ status: 600 }), 'GET of users+api.js gave a Response of status 600. Give one from 200 to 599.'],
  [
    ponyfill({ status: 204, body: new ReadableStream() }),
    'GET of users+api.js gave a Response of status 204 with a body, which that status cannot have.',
  ],
  [ponyfill({ bodyUsed: true }), expect.stringMatching(/gave a Response whose body has already been read/)],
  ...[
    [null, 'null'],
    [undefined, 'undefined'],
    [5, 'a number'],
    [new Map(), 'an object of type Map'],
    [Object.create(null), 'an object of type Object'],
  ].map(([value, what]) => [
    value,
    `GET of users+api.js returned ${what} instead of a Response. Return new Response(…) or Response.json(…).`,
  ]),
])('refuses what cannot be sent: %o', (value, message) => {
  expect(() => toNativeResponse(value, source)).toThrow(
    expect.objectContaining({ code: 'ERR_RESPONSE_INVALID', message }),
  );
});

type Source = NonNullable<ConstructorParameters<typeof ReadableStream<Uint8Array>>[0]>;

/** A stream of a ponyfill: the platform knows only its iterator, whose pending read ends when it is told to stop. */
class OtherStream {
  #stream: ReadableStream<Uint8Array>;

  constructor(source: Source) {
    this.#stream = new ReadableStream(source);
  }

  getReader(): ReadableStreamDefaultReader<Uint8Array> {
    return this.#stream.getReader();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const reader = this.getReader();
    return {
      next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
      return: async (value: unknown) => (await reader.cancel(), { done: true, value }),
    };
  }
}

// On Node, a client that leaves would otherwise end the process: undici closes a stream that has been cancelled.
it('takes a stream of another kind, and cancels it while it waits', async () => {
  let reason: unknown;
  const body = new OtherStream({
    start: (controller) => controller.enqueue(new Uint8Array([1])),
    cancel: (given) => void (reason = given),
  });
  const response = toNativeResponse(ponyfill({ body, headers: new Headers({ 'x-a': 'b' }) }), source);
  expect([response instanceof Response, response.headers.get('x-a')]).toEqual([true, 'b']);
  const reader = response.body?.getReader();
  expect(await reader?.read()).toEqual({ done: false, value: new Uint8Array([1]) });
  const waiting = reader?.read();
  await reader?.cancel('the client has left');
  expect(await waiting).toEqual({ done: true, value: undefined });
  await new Promise(setImmediate);
  expect(reason).toBe('the client has left');
});

it('passes on the end and the failure of a stream of another kind', async () => {
  const whole = new OtherStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('all'));
      controller.close();
    },
  });
  expect(await toNativeResponse(ponyfill({ body: whole }), source).text()).toBe('all');
  const failing = new OtherStream({ pull: () => Promise.reject(new Error('no more')) });
  await expect(toNativeResponse(ponyfill({ body: failing }), source).text()).rejects.toThrow('no more');
});

it('passes on no body, a stream of the platform and one of Node as they are', async () => {
  expect(toNativeResponse(ponyfill({}), source).body).toBe(null);
  const body = new ReadableStream();
  expect(toNativeResponse(ponyfill({ body }), source).body).toBe(body);
  expect(await toNativeResponse(ponyfill({ body: Readable.from(['of Node']) }), source).text()).toBe('of Node');
});

it('does not read a stream of another kind before somebody reads the answer', async () => {
  const read = vi.fn(async () => ({ done: true }));
  const body = { getReader: () => ({ read, cancel: async () => undefined }) };
  const response = toNativeResponse(ponyfill({ body }), source);
  await new Promise(setImmediate);
  expect(read).not.toHaveBeenCalled();
  expect(await response.text()).toBe('');
});

describe('an answer with status 101', () => {
  /** Node makes no such Response. */
  const switching = (own: object = {}, headers: Record<string, string> = {}): Response =>
    Object.defineProperties(new Response(null, { headers }), {
      status: { value: 101 },
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])),
    });

  afterEach(() => void vi.unstubAllGlobals());

  it('can be sent if it has a webSocket, as on Cloudflare, or the header Upgrade, as on Deno', () => {
    for (const response of [switching({ webSocket: {} }), switching({}, { upgrade: 'websocket' })]) {
      expect(toNativeResponse(response, source)).toBe(response);
    }
  });

  it('is refused otherwise, and on Bun, which makes it of anything', () => {
    const refusal = 'GET of users+api.js gave a Response of status 101. Give one from 200 to 599.';
    expect(() => toNativeResponse(switching(), source)).toThrow(refusal);
    expect(() => toNativeResponse(ponyfill({ status: 101, webSocket: {} }), source)).toThrow(refusal);
    vi.stubGlobal('Bun', {});
    expect(() => toNativeResponse(switching({}, { upgrade: 'websocket' }), source)).toThrow(refusal);
  });

  it('is the only one that upgrades: one with status 426 also has the header', () => {
    expect(isUpgrade(new Response(null, { status: 426, headers: { upgrade: 'websocket' } }))).toBe(false);
  });
});
