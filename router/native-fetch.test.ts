import { describe, expect, it } from 'vitest';
import { fetch as webFetch } from './fetch.ts';
import { createFetchRoute } from './fetch-route.ts';
import { createNativeFetch } from './native-fetch.ts';
import type { ServerPlace } from './native-fetch.ts';

const DEPLOYED = { origin: 'https://app.example', developmentPort: 8082, scriptUrl: undefined };

/** The request that the platform would receive. */
async function ask(input: string | URL | Request, place: Partial<ServerPlace> = {}): Promise<unknown> {
  let asked: unknown;
  const fetch = createNativeFetch({
    fetch: async (input) => {
      asked = input;
      return new Response();
    },
    getPlace: () => ({ ...DEPLOYED, ...place }),
  });
  await fetch(input);
  return asked;
}

describe('fetch of a native app', () => {
  it('goes to the configured origin with a path', async () => {
    expect(await ask('/hello?a=1#b')).toBe('https://app.example/hello?a=1#b');
  });

  it('goes below the path that the app is below', async () => {
    expect(await ask('/hello', { base: '/shop' })).toBe('https://app.example/shop/hello');
    const scriptUrl = 'http://localhost:8081/index.bundle';
    expect(await ask('/hello', { base: '/shop', scriptUrl })).toBe('http://localhost:8082/shop/hello');
    expect(await ask('https://other.example/hello', { base: '/shop' })).toBe('https://other.example/hello');
  });

  it.each([
    ['http://192.168.0.7:8081/index.bundle?platform=ios', 'http://192.168.0.7:8082/hello'],
    ['http://10.0.2.2:8081/index.bundle', 'http://10.0.2.2:8082/hello'],
    ['http://localhost:8081/index.bundle', 'http://localhost:8082/hello'],
    ['http://[fe80::1]:8081/index.bundle', 'http://[fe80::1]:8082/hello'],
    ['https://mac.local/index.bundle', 'http://mac.local:8082/hello'],
  ])('goes to the host that serves the development script: %s', async (scriptUrl, url) => {
    expect(await ask('/hello', { scriptUrl })).toBe(url);
  });

  it('goes to the configured origin when the script is a file of the app', async () => {
    expect(await ask('/hello', { scriptUrl: 'file:///app/main.jsbundle' })).toBe('https://app.example/hello');
    expect(await ask('/hello', { scriptUrl: 'http://user@evil.example:8081/' })).toBe('https://app.example/hello');
  });

  it('leaves a complete URL, a URL object and a request unchanged', async () => {
    const request = new Request('https://other.example/');
    const url = new URL('https://other.example/');
    expect(await ask('https://other.example/hello')).toBe('https://other.example/hello');
    expect(await ask(url)).toBe(url);
    expect(await ask(request)).toBe(request);
  });

  it('says where to set the origin when it is missing', async () => {
    await expect(ask('/hello', { origin: undefined })).rejects.toMatchObject({
      name: 'TypeError',
      code: 'ERR_ORIGIN_MISSING',
      message: expect.stringContaining('plugins: [["appkit-router", { "origin": "https://example.com" }]]') as string,
    });
  });

  it.each(['hello', './hello', '?a=1', '#a', '', '\\hello'])('refuses %j, which needs a page', async (reference) => {
    await expect(ask(reference)).rejects.toMatchObject({ code: 'ERR_URL_INVALID' });
  });
});

// Strings that URL parsers read as the start of another host.
const FOREIGN = [
  '//evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  '\\/evil.example',
  ' //evil.example',
  '/\t/evil.example',
];

describe('a URL that looks like a path but leads to another host', () => {
  it.each(FOREIGN)('is refused in a native app: %j', async (reference) => {
    await expect(ask(reference)).rejects.toMatchObject({ code: 'ERR_URL_INVALID' });
  });

  it.each(FOREIGN)('is refused in a page, where it would go there: %j', async (reference) => {
    expect(new URL(reference, 'https://app.example').host).toBe('evil.example');
    await expect(webFetch(reference)).rejects.toMatchObject({ code: 'ERR_URL_INVALID' });
  });
});

it('fetchRoute goes where its fetch goes', async () => {
  let asked: unknown;
  const fetch = createNativeFetch({
    fetch: async (input) => {
      asked = input;
      return new Response();
    },
    getPlace: () => DEPLOYED,
  });
  await createFetchRoute(fetch)('/items/[id]', { params: { id: 'a b' }, query: { q: '&' } });
  expect(asked).toBe('https://app.example/items/a%20b?q=%26');
});
