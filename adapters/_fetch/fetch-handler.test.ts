import { expect, it } from 'vitest';
import { toServerBuild } from '../../runtime/modules/server-build.ts';
import { createFetchHandler } from './fetch-handler.ts';

function handle(route: (request: Request) => Response, limit = 1000): (request: Request) => Promise<Response> {
  const build = toServerBuild({
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'route.js', methods: [] }] },
    modules: { 'route.js': () => ({ POST: route }) },
  });
  const handler = createFetchHandler(
    { build, maxRequestBodySize: limit },
    () =>
      ({ url }) =>
        url,
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

it('marks its own refusals as private, like all other answers', async () => {
  const refuse = handle(() => new Response('yes'), 3);
  const request = new Request('http://h/x', { method: 'POST', headers: { 'content-length': '4' }, body: 'four' });
  const { status, headers } = await refuse(request);
  expect([status, headers.get('cache-control')]).toEqual([413, 'private, no-cache']);
  const build = { manifest: { version: 1, routes: [] }, modules: {} };
  const lost = await createFetchHandler({ build }, () => () => undefined)(new Request('http://h/x'), {});
  expect([lost.status, lost.headers.get('cache-control')]).toEqual([400, 'private, no-cache']);
});
