import { beforeAll, expect, it } from 'vitest';
import { isMeasuredText, lengthOfMeasured, offerMeasuredResponse } from './measured-response.ts';

const key = Symbol.for('appkit.fetch');
type Bound = Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'>;
let bound: Bound;
let Measured: typeof Response;

beforeAll(() => {
  const shared = globalThis as { [key]?: Bound | undefined };
  const before = shared[key];
  shared[key] = undefined;
  offerMeasuredResponse();
  bound = shared[key] as unknown as Bound;
  shared[key] = before;
  Measured = bound.Response;
});

it('knows the length of a body that is in memory', () => {
  const bodies = ['four', '', new Uint8Array(3), new ArrayBuffer(5), null, undefined];
  expect(bodies.map((body) => lengthOfMeasured(new Measured(body)))).toEqual([4, 0, 3, 5, 0, 0]);
  expect(lengthOfMeasured(Measured.json({ a: 1 }))).toBe(7);
  expect(lengthOfMeasured(Measured.json({ a: 1 }, { status: 422 }))).toBe(7);
});

it('knows nothing about streams, other objects, or native Responses', () => {
  const others = [new ReadableStream(), new Blob(['four']), new FormData(), new URLSearchParams('a=b')];
  for (const body of others) expect(lengthOfMeasured(new Measured(body))).toBeUndefined();
  expect(lengthOfMeasured(new Response('four'))).toBeUndefined();
  expect(lengthOfMeasured(new Measured('four').clone())).toBeUndefined();
});

it('tells a text from bytes, which have no type', () => {
  expect([new Measured('four'), new Measured(new Uint8Array(4)), new Response('four')].map(isMeasuredText)).toEqual([
    true,
    false,
    false,
  ]);
});

it('equals the native class in everything else', async () => {
  const response = new Measured('four', { status: 201, statusText: 'Made', headers: { 'x-a': '1' } });
  expect(response).toBeInstanceOf(Response);
  expect([response.status, response.statusText, response.headers.get('x-a')]).toEqual([201, 'Made', '1']);
  expect(Object.prototype.toString.call(response)).toBe('[object Response]');
  expect([Measured.name, await response.text()]).toEqual(['Response', 'four']);
  expect(Measured.redirect('http://h/', 303).headers.get('location')).toBe('http://h/');
  class Own extends Measured {}
  expect(new Own('four')).toBeInstanceOf(Own);
});

it('counts native Responses as its instances', () => {
  const others = [new Response('four'), new Measured('four').clone(), Measured.redirect('http://h/'), Measured.error()];
  const made = [new Measured('four'), Measured.json(1), Measured.json(1, { headers: { 'x-a': '1' } })];
  for (const response of [...others, ...made]) expect(response).toBeInstanceOf(Measured);
  expect({}).not.toBeInstanceOf(Measured);
  class Own extends Measured {}
  expect(new Response('four')).not.toBeInstanceOf(Own);
  expect(new Measured('four')).not.toBeInstanceOf(Own);
});

it('makes JSON with an init whose members are inherited', () => {
  class Init {
    get status(): number {
      return 418;
    }
  }
  expect(Measured.json(1, new Init()).status).toBe(418);
  expect(Measured.json(1, Object.create({ status: 418 }) as ResponseInit).status).toBe(418);
});

it('has the members of the native class, which libraries list to forward them', () => {
  expect(Object.getOwnPropertyNames(Measured.prototype)).toEqual(Object.getOwnPropertyNames(Response.prototype));
  expect(Object.getPrototypeOf(new Measured('four'))).toBe(Response.prototype);
  expect(() => Reflect.apply(Measured, undefined, ['four'])).toThrow(TypeError);
});

it('makes JSON in the same way as the native class', async () => {
  const inits: (ResponseInit | undefined)[] = [
    undefined,
    {},
    { status: 404, statusText: 'Lost' },
    { headers: { 'x-a': '1' } },
    { headers: { 'content-type': 'application/problem+json' }, status: 400 },
  ];
  for (const init of inits) {
    const [ours, native] = [Measured.json([1, 'ä'], init), Response.json([1, 'ä'], init)];
    expect([...ours.headers]).toEqual([...native.headers]);
    expect([ours.status, ours.statusText, await ours.text()]).toEqual([
      native.status,
      native.statusText,
      await native.text(),
    ]);
  }
});

it('refuses what the native class refuses', () => {
  const attempts: ((Class: typeof Response) => unknown)[] = [
    (Class) => Class.json(undefined),
    (Class) => Class.json(1n),
    (Class) => Class.json(1, { status: 204 }),
    (Class) => Class.json(1, { status: 304 }),
    (Class) => Class.json(1, { status: 99 }),
    (Class) => Class.json(1, { status: 600 }),
    (Class) => Class.json(1, 404 as unknown as ResponseInit),
    (Class) => new Class('four', { status: 204 }),
  ];
  for (const attempt of attempts) {
    expect(() => attempt(Response)).toThrow();
    expect(() => attempt(Measured)).toThrow();
  }
});

it('gives way to a class with which code has replaced the global', () => {
  const native = globalThis.Response;
  class Replaced extends native {}
  try {
    bound.Response = Replaced;
    expect(globalThis.Response).toBe(Replaced);
    expect(bound.Response).toBe(Replaced);
  } finally {
    globalThis.Response = native;
  }
  expect(bound.Response).toBe(Measured);
});
