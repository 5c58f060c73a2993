import { expect, it } from 'vitest';
import { toServerBuild } from '../../runtime/modules/server-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import { offerMeasuredResponse } from './measured-response.ts';
import { toTelling } from './telling-stream.ts';

offerMeasuredResponse();
const { Response: Measured } = Reflect.get(globalThis, Symbol.for('appkit.fetch')) as typeof globalThis;

interface Source {
  pull(controller: ReadableStreamDefaultController<Uint8Array>): void | Promise<void>;
  cancel?(reason: unknown): void;
}

/** Answers a request with a stream, and collects what is reported. */
function answerWith(source: Source, signal?: AbortSignal) {
  return answerBy(() => new Measured(new ReadableStream(source, { highWaterMark: 0 })), signal);
}

async function answerBy(GET: () => Response | Promise<Response>, signal?: AbortSignal) {
  const reported: unknown[] = [];
  const build = toServerBuild({
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'route.js', methods: [] }] },
    modules: { 'route.js': () => ({ GET }) },
  });
  const handler = createFetchHandler(
    { build, onError: (error) => void reported.push(error) },
    () =>
      ({ url }) =>
        url,
  );
  const request = new Request('http://h/x', signal ? { signal } : {});
  return { response: await handler(request, {}), reported };
}

it('reports the failure of a stream, and breaks the answer off', async () => {
  const { response, reported } = await answerWith({
    pull() {
      throw new Error('broken');
    },
  });
  await expect(response.text()).rejects.toThrow('broken');
  expect(reported).toEqual([new Error('broken')]);
});

it('reports the failure of a generator', async () => {
  const { response, reported } = await answerBy(
    () =>
      new Measured(
        // oxlint-disable-next-line require-yield -- it fails at once
        (async function* (): AsyncGenerator<Uint8Array> {
          throw new Error('broken');
        })() as unknown as ReadableStream, // platforms take one
      ),
  );
  await expect(response.text()).rejects.toThrow('broken');
  expect(reported).toEqual([new Error('broken')]);
});

it('leaves what fetch() has given to the host, which knows its length', async () => {
  const fetched = await fetch('data:text/plain,hello');
  expect(toTelling(fetched, () => undefined)).toBe(fetched);
});

it('reports the failure of an answer of fetchRoute(), which has a URL of its own', async () => {
  const { response, reported } = await answerBy(() => {
    const failing = new ReadableStream({ pull: () => Promise.reject(new Error('broken')) }, { highWaterMark: 0 });
    return Object.defineProperty(new Measured(failing), 'url', { value: 'http://h/inner' });
  });
  await expect(response.text()).rejects.toThrow('broken');
  expect(reported).toEqual([new Error('broken')]);
});

it('leaves the body of the request to the host', async () => {
  let given: Response | undefined;
  const POST = (request: Request): Response => (given = new Measured(request.body));
  const build = toServerBuild({
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'route.js', methods: [] }] },
    modules: { 'route.js': () => ({ POST }) },
  });
  const handler = createFetchHandler(
    { build },
    () =>
      ({ url }) =>
        url,
  );
  const response = await handler(new Request('http://h/x', { method: 'POST', body: 'text' }), {});
  expect([response.body === given?.body, await response.text()]).toEqual([true, 'text']);
});

it('does not report a stream that fails because the client has left', async () => {
  const client = new AbortController();
  const { response, reported } = await answerWith(
    {
      pull() {
        client.abort();
        throw client.signal.reason;
      },
    },
    client.signal,
  );
  await expect(response.text()).rejects.toThrow(/abort/);
  expect(reported).toEqual([]);
});

it('cancels a stream that waits, and reports nothing of what follows', async () => {
  let reason: unknown;
  const { response, reported } = await answerWith({
    pull: () => new Promise(() => {}),
    cancel: (given) => void (reason = given),
  });
  const reader = response.body?.getReader();
  const read = reader?.read();
  await reader?.cancel('left');
  expect([await read, reason, reported]).toEqual([{ done: true, value: undefined }, 'left', []]);
});

it('reads no more of a stream than is asked for', async () => {
  let pulls = 0;
  const { response } = await answerWith({
    pull(controller) {
      pulls++;
      controller.enqueue(new Uint8Array(1));
    },
  });
  await Promise.resolve();
  expect(pulls).toBe(0);
  await response.body?.getReader().read();
  expect(pulls).toBe(1);
});
