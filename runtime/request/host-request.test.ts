import { describe, expect, it } from 'vitest';
import { offerMayBeTaken } from '../http/quick-response.ts';
import { BodyUse } from './body-use.ts';
import { reporterOf, toHostRequest } from './host-request.ts';

const url = 'http://a.test/';
const left = new Error('the client has left');

/** A request whose body the client is still sending, with a function that breaks it off. */
function uploading(given?: BodyUse): { request: Request; breakOff: () => void } {
  let breakOff = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      breakOff = () => controller.error(left);
    },
    cancel: () => Promise.reject(left),
  });
  const request = new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  return { request: toHostRequest(request, undefined, given), breakOff };
}

/** The rejections that would end the process, when code uses a request and its client then leaves. */
async function unhandledOf(use: (request: Request) => unknown): Promise<unknown[]> {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  try {
    const { request, breakOff } = uploading();
    use(request);
    breakOff();
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  return rejections;
}

describe('a promise that app code leaves unhandled when the client leaves', () => {
  it('ends nothing, whichever method has begun to read the body', async () => {
    expect(await unhandledOf((request) => request.arrayBuffer())).toEqual([]);
    expect(await unhandledOf((request) => request.blob())).toEqual([]);
    expect(await unhandledOf((request) => request.bytes())).toEqual([]);
    expect(await unhandledOf((request) => request.formData())).toEqual([]);
    expect(await unhandledOf((request) => request.json())).toEqual([]);
    expect(await unhandledOf((request) => request.text())).toEqual([]);
  });

  it('ends nothing when a copy of the request is read', async () => {
    expect(await unhandledOf((request) => request.clone().text())).toEqual([]);
  });

  it('ends nothing when the stream of the body is read, piped or cancelled', async () => {
    expect(await unhandledOf(({ body }) => body?.getReader().read())).toEqual([]);
    expect(await unhandledOf(({ body }) => body?.getReader().cancel())).toEqual([]);
    expect(await unhandledOf(({ body }) => body?.cancel())).toEqual([]);
    expect(await unhandledOf(({ body }) => body?.pipeTo(new WritableStream()))).toEqual([]);
  });

  it('still fails for code that awaits it', async () => {
    const { request, breakOff } = uploading();
    const read = request.text();
    breakOff();
    await expect(read).rejects.toBe(left);
  });
});

describe('the use of a body', () => {
  it('is noted while it is read, also by a copy of the request', async () => {
    for (const toRead of [(request: Request) => request, (request: Request) => request.clone()]) {
      const use = new BodyUse({ running: 0 });
      const request = toHostRequest(new Request(url, { method: 'POST', body: 'a' }), undefined, use);
      const read = toRead(request).text();
      expect(use.isReadBeside(new Response())).toBe(true);
      expect(await read).toBe('a');
      expect(use.isReadBeside(new Response())).toBe(false);
    }
  });

  it('is noted when app code has its stream, unless the stream is the answer, however often it was looked at', () => {
    offerMayBeTaken(() => true);
    const use = new BodyUse({ running: 0 });
    const { request } = uploading(use);
    const { body } = request;
    expect(request.body).toBe(body);
    expect(use.isReadBeside(new Response())).toBe(true);
    expect(use.isReadBeside(new Response(body))).toBe(false);
  });
});

describe('to app code, a request looks like one of the platform', () => {
  const native = new Request(url, { method: 'POST', body: 'a' });
  const request = toHostRequest(new Request(url, { method: 'POST', body: 'a' }));
  const classOf = (object: unknown): unknown =>
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), 'constructor');

  it('with its classes', () => {
    expect(classOf(request)).toEqual(classOf(native));
    expect(classOf(request.body)).toEqual(classOf(native.body));
    expect(classOf(request.clone().body?.getReader())).toEqual(classOf(native.clone().body?.getReader()));
  });

  it('with its methods', () => {
    expect([request.json.name, request.json.length]).toEqual(['json', 0]);
    expect([request.body?.pipeTo.name, request.body?.pipeTo.length]).toEqual(['pipeTo', native.body?.pipeTo.length]);
  });

  it('without a body, it has none', () => {
    expect(toHostRequest(new Request(url)).body).toBeNull();
  });

  it('with a reader of the kind that code asks for', async () => {
    const body = new ReadableStream({ type: 'bytes', start: (to) => (to.enqueue(new Uint8Array([7])), to.close()) });
    const request = toHostRequest(new Request(url, { method: 'POST', body, duplex: 'half' } as RequestInit));
    const reader = request.body?.getReader({ mode: 'byob' });
    expect(reader).toBeInstanceOf(ReadableStreamBYOBReader);
    expect((await reader?.read(new Uint8Array(1)))?.value).toEqual(new Uint8Array([7]));
  });
});

it('passes the function that receives errors to its copies', () => {
  const report = (): undefined => undefined;
  expect(reporterOf(toHostRequest(new Request(url), report).clone())).toBe(report);
});
