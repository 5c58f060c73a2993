import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { observe, readAll, toText } from '../../runtime/fixtures/observe.ts';
import { ArrivingBody } from '../_node/arriving-body.ts';
import { createLightRequest, LightRequest } from './light-request.ts';
import { LightResponse, takeWholeResponse } from './light-response.ts';
import { toRequestBody } from '../_node/request-body.ts';

// Random cases that nobody has thought of. A failure prints its seed and the smallest case.

const names = fc.constantFrom(
  'a',
  'A',
  'x-b',
  'Content-Type',
  'content-type',
  'set-cookie',
  'x_y',
  '',
  'a b',
  'é',
  '__proto__',
);
const values = fc.oneof(
  fc.constantFrom('', '1', ' 1 ', 'a/b', 'text/x; y=z', 'é', 'Ā', 'a\nb', 'a\0', '\t', 5, null, undefined),
  fc.string({ maxLength: 6, unit: 'binary' }),
  fc.string({ maxLength: 6 }),
);
const pairs = fc.array(fc.tuple(names, values), { maxLength: 4 });
const headers = fc.oneof(
  pairs.map((list) => () => Object.fromEntries(list)),
  pairs.map((list) => () => list),
  pairs.map((list) => () => new Map(list)),
  pairs.map((list) => () => new Headers(list.filter(isValid) as [string, string][])),
  fc.constantFrom(undefined, null, 'x', 5).map((value) => () => value),
);
const statuses = fc.oneof(
  fc.integer({ min: 198, max: 601 }),
  fc.constantFrom(200, 204, 205, 304, '201', '', null, undefined, Number.NaN, 201.5, 65_736, -1, true),
);
const phrases = fc.oneof(
  fc.constantFrom('', 'OK', 'é', 'Ā', 'a\nb', '\t', null, undefined, 5),
  fc.string({ maxLength: 4, unit: 'binary' }),
);
const init = fc.option(
  fc
    .record({ status: statuses, statusText: phrases, headers }, { requiredKeys: [] })
    .map(({ headers, ...rest }) => () => ({ ...rest, ...(headers && { headers: headers() }) })),
  { nil: () => undefined },
);
const bytes = fc.uint8Array({ maxLength: 5 });
const texts = fc.oneof(fc.constantFrom('', '{"a":1}', '\ufeff1', 'a=1&b=é', '\ud800'), fc.string({ unit: 'binary' }));
const bodies = fc.oneof(
  texts.map((text) => () => text),
  bytes.map((given) => () => given.slice()),
  bytes.map((given) => () => Buffer.from(given)),
  bytes.map((given) => () => new Blob([given.slice()], { type: 'a/b' })),
  bytes.map((given) => () => ReadableStream.from([given.slice(), given.slice()])),
  fc.constantFrom(null, undefined, 5, false).map((value) => () => value),
  texts.map((text) => () => new URLSearchParams([['a', text]])),
);

type Message = Request | Response;
/** An operation of code on a message. */
interface Step {
  name: string;
  run(message: Message, hand: Hand): unknown;
}
/** The state that code holds between its operations. */
interface Hand {
  reader?: ReadableStreamDefaultReader | undefined;
  clones: Message[];
}

const readers = ['text', 'json', 'arrayBuffer', 'blob', 'bytes', 'formData'] as const;
const named = (name: string, run: Step['run']): fc.Arbitrary<Step> => fc.constant({ name, run });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('set' as const, 'append' as const),
      names,
      values.filter((value) => !isBlank(value)),
    )
    .map(([method, name, value]) => ({
      name: `headers.${method}(${inspect(name)}, ${inspect(value)})`,
      run: ({ headers }: Message) => headers[method](name, value as string),
    })),
  names.map((name) => ({
    name: `headers.delete(${inspect(name)})`,
    run: ({ headers }: Message) => headers.delete(name),
  })),
  names.map((name) => ({ name: `headers.get(${inspect(name)})`, run: ({ headers }: Message) => headers.get(name) })),
  fc
    .constantFrom(...readers)
    .map((method) => ({ name: `${method}()`, run: (message: Message) => read(message, method) })),
  named('clone()', (message, { clones }) => void clones.push(message.clone())),
  named('read the last clone', async (_message, { clones }) => clones.length > 0 && readAll(clones.pop() as Message)),
  named('look at the body', ({ body }) => body && [body.locked, body.constructor === ReadableStream]),
  named('get a reader', (message, hand) => void (hand.reader = message.body?.getReader() ?? hand.reader)),
  named(
    'read a chunk',
    async (_message, { reader }) => reader && toText((await reader.read()).value ?? new Uint8Array()),
  ),
  named('release the reader', (_message, hand) => hand.reader?.releaseLock()),
  // Not awaited: this may also wait for a clone to be cancelled.
  named('cancel the body', ({ body }) => void body?.cancel().catch(() => {})),
  // The content is compared elsewhere; the order of changed headers differs.
  named('inspect()', (message) => void inspect(message)),
);

async function read(message: Message, method: (typeof readers)[number]): Promise<unknown> {
  const seen: unknown = await message[method]();
  if (seen instanceof FormData) return [...seen].map(String);
  if (seen instanceof Blob) return [seen.type, await seen.text()];
  return seen instanceof ArrayBuffer || seen instanceof Uint8Array ? toText(seen) : seen;
}

/** Runs one operation after the other, and returns what was seen at each. */
async function walk(make: () => Message, steps: readonly Step[]): Promise<unknown> {
  return observe(async () => {
    const message = make();
    const hand: Hand = { clones: [] };
    const seen: unknown[] = [];
    for (const { name, run } of steps) {
      seen.push([name, await observe(() => run(message, hand)), message.bodyUsed, [...message.headers].join()]);
    }
    return [...seen, await readAll(message)];
  });
}

const runs = propertyRuns({ push: 500, weekly: 50_000 });

it('a light Response with any arguments reads like a native one', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, init, async (body, init) => {
      const make = (R: typeof Response): Promise<unknown> =>
        observe(() => readAll(new R(body() as never, init() as ResponseInit)));
      expect(await make(LightResponse)).toEqual(await make(Response));
    }),
    runs,
  );
});

it('a light Response with any data reads like a native one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), init, async (data, init) => {
      const make = (R: typeof Response): Promise<unknown> =>
        observe(() => readAll(R.json(data, init() as ResponseInit)));
      expect(await make(LightResponse)).toEqual(await make(Response));
    }),
    runs,
  );
});

it('the parts taken from a light Response are what a native one would have sent', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, init, fc.array(fc.tuple(names, values), { maxLength: 2 }), async (body, init, later) => {
      const make = (R: typeof Response): Response => {
        const response = new R(body() as never, init() as ResponseInit);
        for (const [name, value] of later.filter(isValid)) response.headers.append(name, value as string);
        return response;
      };
      const whole = await observe(() => takeWholeResponse(make(LightResponse)));
      const given = (whole as { gave?: ReturnType<typeof takeWholeResponse> }).gave;
      if (!given) return;
      const native = make(Response);
      const bytes = typeof given.body === 'string' ? Buffer.from(given.body) : given.body;
      expect(bytes === null).toBe(native.body === null);
      expect(toText(bytes ?? new Uint8Array())).toEqual(toText(await native.arrayBuffer()));
      expect([given.status, given.statusText]).toEqual([native.status, native.statusText]);
      const list = Array.isArray(given.headers) ? given.headers : [...(given.headers as Headers)].flat();
      const lines = (flat: readonly string[]): string[] =>
        flat.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${flat[index + 1]}`] : [])).sort();
      expect(lines(list as string[])).toEqual(lines([...native.headers].flat()));
    }),
    runs,
  );
});

it('a light Response behaves like a native one after any operations', async () => {
  const plain = fc.record(
    { status: fc.constantFrom(200, 204, 404), headers: pairs.map(toPlain) },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(bodies, plain, fc.array(step, { maxLength: 6 }), async (body, init, steps) => {
      const make = (R: typeof Response) => walk(() => new R(body() as never, init), steps);
      expect(await make(LightResponse)).toEqual(await make(Response));
    }),
    runs,
  );
});

it('a light Request behaves like a native one after any operations', async () => {
  const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PURGE');
  const lines = pairs.map((list) => list.filter(isValid).filter(([, value]) => !isBlank(value)) as [string, string][]);
  await fc.assert(
    fc.asyncProperty(methods, lines, fc.option(bytes), fc.array(requestStep, { maxLength: 6 }), async (...arrived) => {
      const [method, lines, given, steps] = arrived;
      const url = 'http://h/x?y=1';
      const carries = given && given.length > 0 && method !== 'GET' && method !== 'HEAD';
      const light = (): Request => {
        const body = carries
          ? toRequestBody(
              new ArrivingBody(Readable.from([Buffer.from(given)]), 1000, {
                answer: { writableEnded: false },
                tasks: { running: 0 },
              }),
            )
          : null;
        return createLightRequest({ method, url, headers: lines.flat(), body });
      };
      const native = (): Request =>
        new Request(url, {
          method,
          headers: lines,
          signal: new AbortController().signal,
          ...(carries ? { body: given.slice(), duplex: 'half' } : {}),
        });
      expect(await walk(light, steps)).toEqual(await walk(native, steps));
    }),
    runs,
  );
});

const requestStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: step },
  // The bound class accepts both kinds.
  named('new Request(request)', async (message) => readAll(new LightRequest(message as Request))),
  named('new Request(url, request)', async (message) => readAll(new LightRequest('http://h/', message as Request))),
  named('new Request(request, init)', async (message) =>
    readAll(new LightRequest(message as Request, { method: 'POST', body: 'other' })),
  ),
);

function toPlain(list: [string, unknown][]): Record<string, string> {
  return Object.fromEntries(list.filter(isValid)) as Record<string, string>;
}

// Appended to another, a blank value leaves a space at the end, which a copy loses: the guide lists it.
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function isValid([name, value]: [string, unknown]): boolean {
  return /^[\w-]+$/.test(name) && typeof value === 'string' && /^[ -~]*$/.test(value);
}
