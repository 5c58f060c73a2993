import { describe, expect, it } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';

const app: App = { routes: { '/': { GET: ok, POST: ok, PUT: ok } } };

function ok(): Response {
  return new Response('ok');
}

const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: 'session=1' };

async function statusOf(
  headers: Record<string, string>,
  {
    method = 'POST',
    formOrigins,
    origins,
    origin,
  }: { method?: string; formOrigins?: string[]; origins?: string[]; origin?: string } = {},
): Promise<number> {
  const handler = handlerOf({ ...app, ...(formOrigins && { formOrigins }) }, { origins });
  return (await handler(new Request('http://app.test/', { method, headers }), { origin })).status;
}

describe('a form of another origin', () => {
  const foreign = { ...form, 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' };

  it.each([
    ['application/x-www-form-urlencoded', 403],
    ['Application/X-WWW-Form-Urlencoded;charset=utf-8', 403],
    ['multipart/form-data; boundary=x', 403],
    ['text/plain', 403],
    ['', 403],
    // A browser sends a preflight request for these.
    ['application/json', 200],
    ['text/plainer', 200],
  ])('of the media type %o is answered with %i', async (type, status) => {
    expect(await statusOf({ ...foreign, 'content-type': type })).toBe(status);
  });

  it('is also refused without a media type', async () => {
    expect(await statusOf({ cookie: 'session=1', 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('is refused from a subdomain, and from an opaque origin', async () => {
    expect(await statusOf({ ...form, 'sec-fetch-site': 'same-site', origin: 'https://evil.app.test' })).toBe(403);
    expect(await statusOf({ ...form, origin: 'null' })).toBe(403);
    expect(await statusOf({ ...form, origin: 'https://evil.test' })).toBe(403);
    expect(await statusOf({ ...form, origin: 'http://app.test:81' })).toBe(403);
  });

  it('is refused from another scheme of the same host, which browsers call another site', async () => {
    expect(await statusOf({ ...form, 'sec-fetch-site': 'cross-site', origin: 'https://app.test' })).toBe(403);
  });

  it('is refused if it comes neither from the host of the request nor from the one that the host vouches for', async () => {
    expect(await statusOf({ ...form, origin: 'https://evil.test' }, { origin: 'https://shop.test' })).toBe(403);
  });

  it('is accepted without cookies, and with other methods', async () => {
    const { cookie: _, ...without } = foreign;
    expect(await statusOf(without)).toBe(200);
    expect(await statusOf(foreign, { method: 'GET' })).toBe(200);
    // A browser sends a preflight request for this.
    expect(await statusOf(foreign, { method: 'PUT' })).toBe(200);
  });

  it('is accepted from the app itself, and from a client that is not a browser', async () => {
    for (const headers of [{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }]) {
      expect(await statusOf({ ...form, ...headers })).toBe(200);
    }
    // A proxy has ended TLS.
    expect(await statusOf({ ...form, origin: 'https://app.test' })).toBe(200);
    expect(await statusOf({ ...form, origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(200);
    expect(await statusOf({ ...form, origin: 'https://shop.test' }, { origin: 'https://shop.test' })).toBe(200);
  });

  it('is accepted from the origins of the config and of the adapter', async () => {
    expect(await statusOf(foreign, { formOrigins: ['https://evil.test'] })).toBe(200);
    expect(await statusOf(foreign, { formOrigins: ['https://other.test'] })).toBe(403);
    expect(await statusOf(foreign, { formOrigins: ['*'] })).toBe(200);
    expect(await statusOf(foreign, { origins: ['https://evil.test'] })).toBe(200);
  });

  it('is refused before middleware and route run, and says why', async () => {
    let count = 0;
    const run = (): Response => {
      count++;
      return ok();
    };
    const handler = handlerOf({ routes: { '/': { POST: run } }, middleware: { default: () => void count++ } });
    const answer = await handler(new Request('http://app.test/', { method: 'POST', headers: foreign }));
    expect([answer.status, await answer.text(), count]).toEqual([
      403,
      '{"error":"A form of another origin cannot be sent here"}',
      0,
    ]);
  });

  it("is refused by a page's action even without cookies", async () => {
    const { cookie: _, ...without } = foreign;
    const handler = handlerOf({ pages: { '/': { GET: ok, POST: ok } } });
    expect((await handler(new Request('http://app.test/', { method: 'POST', headers: without }))).status).toBe(403);
  });

  it("is accepted by a page's action from the app itself, and so is a link of another origin to the page", async () => {
    const handler = handlerOf({ pages: { '/': { GET: ok, POST: ok } } });
    const own = { ...form, 'sec-fetch-site': 'same-origin', origin: 'http://app.test' };
    expect((await handler(new Request('http://app.test/', { method: 'POST', headers: own }))).status).toBe(200);
    expect(
      (await handler(new Request('http://app.test/', { headers: { 'sec-fetch-site': 'cross-site' } }))).status,
    ).toBe(200);
  });
});
