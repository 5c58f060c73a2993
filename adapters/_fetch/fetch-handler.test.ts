import { expect, it } from 'vitest';
import { toServerBuild } from '../../runtime/modules/server-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import { offerMeasuredResponse } from './measured-response.ts';

function handle(
  route: (request: Request) => Response,
  limit = 1000,
  whenRead?: () => Promise<void>,
): (request: Request) => Promise<Response> {
  const build = toServerBuild({
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'route.js', methods: [] }] },
    modules: { 'route.js': () => ({ POST: route }) },
  });
  const handler = createFetchHandler(
    { build, maxRequestBodySize: limit },
    () =>
      ({ url }) =>
        url,
    whenRead,
  );
  return async (request) => handler(request, {});
}

function answerOf(read: () => Promise<unknown>): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const text = await read().then(JSON.stringify, ({ name }: Error) => name);
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  return new Response(body);
}

it('tells an answer that reads the body while it is sent what is wrong with the body', async () => {
  const parse = handle((request) => answerOf(() => request.json()));
  expect(await (await parse(new Request('http://h/x', { method: 'POST', body: '{"bad' }))).text()).toBe('SyntaxError');
  const read = handle((request) => {
    const reader = request.body?.getReader();
    return answerOf(async () => {
      while (!(await reader?.read())?.done);
    });
  }, 10);
  const body = ReadableStream.from([new Uint8Array(8), new Uint8Array(8)]);
  const large = new Request('http://h/x', { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(await (await read(large)).text()).toBe('StatusError');
});

it('answers a request whose body code in front has read, and says so to a route that reads it', async () => {
  const read = handle((request) => answerOf(() => request.text().catch(({ message }: Error) => message)));
  const ignore = handle(() => new Response('not read'));
  const message = expect.stringContaining(
    'was read before the handler was called. Mount the handler before what reads',
  );
  for (const headers of [new Headers({ 'content-length': '4' }), new Headers()]) {
    const request = new Request('http://h/x', { method: 'POST', body: 'sent', headers });
    await request.text();
    expect(await (await read(request)).json()).toEqual(message);
    expect(await (await ignore(request)).text()).toBe('not read');
  }
  const locked = new Request('http://h/x', { method: 'POST', body: 'sent' });
  locked.body?.getReader();
  expect(await (await read(locked)).json()).toEqual(message);
  expect(await (await ignore(locked)).text()).toBe('not read');
});

it('leaves a read pending that breaks off after the answer, when no task waits for it', async () => {
  let isSettled = false;
  let broken: ReadableStreamDefaultController<Uint8Array> | undefined;
  const leave = handle((request) => {
    const parsed = request.text().then(JSON.parse);
    const settle = (): void => void (isSettled = true);
    parsed.then(settle, settle);
    return new Response('no', { status: 401 });
  });
  const body = new ReadableStream<Uint8Array>({ start: (controller) => (broken = controller) });
  const request = new Request('http://h/x', {
    method: 'POST',
    headers: { 'content-length': '10' },
    body,
    duplex: 'half',
  } as RequestInit);
  expect((await leave(request)).status).toBe(401);
  broken?.error(new DOMException('gone', 'AbortError'));
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve));
  expect(isSettled).toBe(false);
});

it('waits for a read that goes on beside the answer, and not for a body that is the answer', async () => {
  // Only with its Response is it known which bodies are streams.
  offerMeasuredResponse();
  const { Response } = Reflect.get(globalThis, Symbol.for('appkit.fetch')) as typeof globalThis;
  let waits = 0;
  const countWait = (): Promise<void> => {
    waits++;
    return Promise.resolve();
  };
  const post = async (route: (request: Request) => Response): Promise<number> => {
    waits = 0;
    const init = { method: 'POST', headers: { 'content-length': '2' }, body: 'ab' };
    await (await handle(route, 1000, countWait)(new Request('http://h/x', init))).text();
    return waits;
  };
  expect(await post(({ body }) => new Response(body))).toBe(0);
  expect(await post((request) => (void request.text(), new Response('read')))).toBe(1);
  expect(await post((request) => (void new Response(request.body).text(), new Response('passed on')))).toBe(1);
  expect(await post((request) => new Response(request.body?.tee()[0]))).toBe(1);
  const passOnAndAnswer = (request: Request): Response => {
    const copy = request.clone();
    void new Response(request.body).text();
    return new Response(copy.body);
  };
  expect(await post(passOnAndAnswer)).toBe(1);
});

it('marks its own refusals as private, like all other answers', async () => {
  const refuse = handle(() => new Response('yes'), 3);
  const request = new Request('http://h/x', { method: 'POST', headers: { 'content-length': '4' }, body: 'four' });
  const { status, headers } = await refuse(request);
  expect([status, headers.get('cache-control')]).toEqual([413, 'private, no-cache']);
  const build = { manifest: { version: 1, routes: [] }, modules: {} };
  const lost = await createFetchHandler({ build }, () => () => undefined)(new Request('http://h/x'), {});
  expect([lost.status, lost.headers.get('cache-control')]).toEqual([400, 'private, no-cache']);
});
