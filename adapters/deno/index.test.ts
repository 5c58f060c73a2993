import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../runtime/helpers.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createRequestHandler } from './index.ts';
import { createToPublicUrl } from './public-url.ts';

/** A request of Deno 2.9 whose `url` cannot be made into a Request. */
function received(url: string, headers: Record<string, string> = {}): Request {
  return { url, headers: new Headers(headers) } as Request;
}

describe('the URL of a request', () => {
  const requests: [what: string, url: string, host: string | undefined, expected: string | undefined][] = [
    ['a plain target', 'http://a.test:1/x?y=%20z', 'a.test:1', 'http://a.test:1/x?y=%20z'],
    ['a target over TLS', 'https://a.test/x', 'a.test', 'https://a.test/x'],
    ['dots in the path', 'http://a.test/../x/./y\\z', 'a.test', 'http://a.test/x/y/z'],
    ['two slashes in front', 'http://a.test//evil.com/x', 'a.test', 'http://a.test//evil.com/x'],
    ['an absolute form', 'https://u:p@evil.com/x', 'a.test', 'http://a.test/x'],
    ['an absolute form without a path', 'http://evil.com?x', 'a.test', 'http://a.test/?x'],
    ['HTTP/2, which has no Host header', 'https://a.test/x', undefined, 'https://a.test/x'],
    ['a host with a path', 'http://evil.com/path/x', 'evil.com/path', undefined],
    ['an invalid host', 'http://a b/x', 'a b', undefined],
    ['an invalid port', 'http://a.test:99999/x', 'a.test:99999', undefined],
    ['an authority with user information', 'https://u@evil.com/x', undefined, undefined],
  ];
  for (const [what, url, host, expected] of requests) {
    it(`is ${expected ?? 'none'} for ${what}`, () => {
      expect(createToPublicUrl(0)(received(url, host === undefined ? {} : { host }), undefined)).toBe(expected);
    });
  }

  it('recognises an origin by the header, not by its form', () => {
    const toPublicUrl = createToPublicUrl(0);
    const urlOf = (url: string, host: string): string | undefined => toPublicUrl(received(url, { host }), undefined);
    expect(urlOf('http://known.test/x', 'known.test')).toBe('http://known.test/x');
    expect(urlOf('http://known.test/x', 'known.test/x')).toBe(undefined);
    expect(urlOf('http://known.test/x', 'other.test')).toBe('http://other.test/x');
    expect(urlOf('http://known.test/../x', 'known.test')).toBe('http://known.test/x');
    const headers = { host: 'known.test', 'x-forwarded-proto': 'https' };
    expect(createToPublicUrl(1)(received('http://known.test/x', headers), undefined)).toBe('https://known.test/x');
  });

  it('follows a trusted proxy', () => {
    const headers = { host: 'inner', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    expect(createToPublicUrl(1)(received('http://inner/x', headers), undefined)).toBe('https://shop.example/x');
  });
});

describe('createRequestHandler', () => {
  it('tells a route the address of the client, and behind a proxy the one that this has added', async () => {
    const build: ServerBuild = {
      manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: ['GET'] }] },
      modules: { 'x.js': () => ({ GET: () => new Response(clientAddress()) }) },
    };
    const request = new Request('http://a.test/x', { headers: { host: 'a.test', 'x-forwarded-for': '203.0.113.9' } });
    const info = { remoteAddr: { hostname: '::ffff:192.0.2.7' } };
    const ask = async (trustProxy: boolean): Promise<string> =>
      (await createRequestHandler({ build, trustProxy })(request, info)).text();
    expect([await ask(false), await ask(true)]).toEqual(['192.0.2.7', '203.0.113.9']);
  });

  it('answers TRACE, which a Request cannot have, at a URL that must be corrected', async () => {
    const build: ServerBuild = {
      manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: ['GET'] }] },
      modules: { 'x.js': () => ({ GET: () => new Response() }) },
    };
    const request = { ...received('http://a.test/./x', { host: 'a.test' }), method: 'TRACE', body: null } as Request;
    const response = await createRequestHandler({ build })(request);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});
