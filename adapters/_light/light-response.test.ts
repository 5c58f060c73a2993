import { describe, expect, it, vi } from 'vitest';
import { observe, readAll, rowsOf } from '../../runtime/fixtures/observe.ts';
import { lengthOfWhole, LightResponse, takeWholeResponse } from './light-response.ts';
import {
  Light,
  Native,
  bodies,
  changed,
  changes,
  copies,
  differences,
  headers,
  inits,
  objects,
  others,
  phrases,
  readers,
  sent,
  statics,
  statuses,
  twiceRead,
} from './light-response.cases.ts';
import type { Make, ResponseClass, Use } from './light-response.cases.ts';

describe('a light Response reads like a native one', () => {
  const made = { bodies, copies, statuses, phrases, headers, inits, statics, changes };
  for (const [kind, cases] of Object.entries(made)) {
    it.each(Object.entries(cases))(`${kind}: %s`, async (_name, make) => {
      const read = (R: ResponseClass): Promise<unknown> => observe(() => readAll(make(R)));
      expect(await read(Light)).toEqual(await read(Native));
    });
    it.each(Object.entries(cases))(`${kind}: %s, sent`, async (_name, make) => {
      const send = (R: ResponseClass): Promise<unknown> => observe(() => sent(make(R)));
      expect(await send(Light)).toEqual(await send(Native));
    });
  }
});

describe('a light Response is used like a native one', () => {
  const uses = { readers, objects, others };
  for (const [kind, cases] of Object.entries(uses)) {
    it.each(Object.entries(cases))(`${kind}: %s`, async (_name, use) => {
      expect(await observe(() => use(Light))).toEqual(await observe(() => use(Native)));
    });
  }
});

describe('the differences from a native Response', () => {
  it.each(differences)('$documented', async ({ use, native, light }) => {
    expect(await observe(() => use(Native))).toEqual(native);
    expect(await observe(() => use(Light))).toEqual(light);
    expect(light).not.toEqual(native);
  });

  it('is what the guide lists', async () => {
    const rows = await rowsOf('Response');
    expect(new Set(rows)).toEqual(new Set(differences.map(({ documented }) => documented)));
  });
});

describe('takeWholeResponse()', () => {
  const plain: Make[] = [
    (R) => new R(),
    (R) => new R('text'),
    (R) => new R(null, { status: 204 }),
    (R) => new R(Buffer.from('x'), { headers: { 'Content-Type': 'image/png', 'x-a': 'b' } }),
    (R) => new R('x', { status: 404, statusText: 'Not here' }),
    (R) => R.json({ a: 1 }),
    (R) => R.json({ a: 1 }, { status: 201, headers: { location: '/x?y=1' } }),
    (R) => changed(new R('x'), ({ headers }) => headers.append('set-cookie', 'a=1')),
  ];

  it.each(plain)('returns the parts of most Responses: %s', (make) => {
    expect(takeWholeResponse(make(Light))).toBeDefined();
  });

  it('returns undefined for a native one, and for one that other code is reading', async () => {
    expect(takeWholeResponse(new Response('x'))).toBeUndefined();
    const uses: Use[] = [
      (R) => changed(new R('x'), ({ body }) => void body),
      (R) => changed(new R('x'), (x) => x.clone()),
    ];
    for (const use of uses) expect(takeWholeResponse(use(Light) as Response)).toBeUndefined();
    const read = new LightResponse('x');
    await read.text();
    expect(takeWholeResponse(read)).toBeUndefined();
  });

  it('uses the Response up, as reading does', async () => {
    const response = new LightResponse('x');
    expect(takeWholeResponse(response)).toMatchObject({ body: 'x' });
    expect(takeWholeResponse(response)).toBeUndefined();
    expect(response.bodyUsed).toBe(true);
    expect(await observe(() => response.text())).toEqual(await observe(() => twiceRead(new Response('x'))));
    expect(() => response.clone()).toThrow(TypeError);
  });

  it('uses nothing up if the Response has no body', async () => {
    const response = new LightResponse(null, { status: 204 });
    expect(takeWholeResponse(response)).toEqual(takeWholeResponse(response));
    expect([response.bodyUsed, await response.text()]).toEqual([false, '']);
  });
});

describe('what is known of a light Response without making its stream', () => {
  const streamed = (R: typeof Response): Response => changed(new R('x'), ({ body }) => void body);

  /** The runtime, with this class alone registered: a program has one. */
  async function load() {
    vi.resetModules();
    const { streamOf, surelyHasBody } = await import('../../runtime/http/quick-response.ts');
    const { LightResponse } = await import('./light-response.ts');
    return { streamOf, surelyHasBody, R: LightResponse };
  }

  it('is that it has a body', async () => {
    const { surelyHasBody, R } = await load();
    expect([new R('x'), new R(''), R.json(1)].map(surelyHasBody)).toEqual([true, true, true]);
    expect([new R(), streamed(R), new Response('x')].map(surelyHasBody)).toEqual([false, false, false]);
  });

  it('is that no other code has its stream', async () => {
    const { streamOf, R } = await load();
    expect(streamOf(new R('x'))).toBeUndefined();
    for (const response of [streamed(R), new Response('x')]) expect(streamOf(response)).toBe(response.body);
  });

  it('is the length of a body that is still whole', () => {
    const whole = [new LightResponse('abc'), new LightResponse(), new LightResponse(Buffer.from('ab'))];
    expect(whole.map(lengthOfWhole)).toEqual([3, 0, 2]);
    const sent = new LightResponse('abc');
    takeWholeResponse(sent);
    expect([sent, streamed(LightResponse), new Response('abc')].map(lengthOfWhole)).toEqual(Array(3).fill(undefined));
  });
});
