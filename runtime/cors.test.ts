import { expect, it } from 'vitest';
import { cors } from './cors.ts';
import type { CorsOptions } from './cors.ts';
import { handlerOf } from './fixtures/app.ts';

const preflight = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-a, x-b' };

async function ask(options: CorsOptions, init: RequestInit & { path?: string }): Promise<Response> {
  const handler = handlerOf(
    {
      routes: {
        '/': { GET: () => new Response('ok') },
        '/error': { GET: () => Promise.reject(new Error('db')) },
      },
      middleware: { default: cors(options) },
    },
    { onError: () => undefined },
  );
  return handler(new Request(`http://app.test${init.path ?? '/'}`, init));
}

const allowed = (response: Response): (string | null)[] =>
  ['allow-origin', 'allow-credentials', 'expose-headers'].map((name) => response.headers.get(`access-control-${name}`));

it('lets the listed origins read answers, errors included, and no others', async () => {
  const options = { origins: ['https://a.test'], credentials: true, exposedHeaders: ['X-Count', 'X-Page'] };
  const from = (origin: string, path = '/'): Promise<Response> => ask(options, { path, headers: { origin } });
  for (const path of ['/', '/error', '/none']) {
    const answer = await from('https://a.test', path);
    expect(allowed(answer), path).toEqual(['https://a.test', 'true', 'X-Count, X-Page']);
    expect(answer.headers.get('vary')).toBe('Origin');
  }
  for (const origin of ['https://b.test', 'null', 'https://a.test.evil.test', 'http://a.test']) {
    const answer = await from(origin);
    expect([allowed(answer), answer.headers.get('vary')], origin).toEqual([[null, null, null], 'Origin']);
  }
  expect((await ask(options, {})).headers.get('vary')).toBe('Origin');
});

it('lets the web views of apps and browser extensions read answers, which have schemes of their own', async () => {
  const origins = [
    'capacitor://localhost',
    'chrome-extension://abcdefgh',
    'tauri://localhost',
    'http://localhost:1420',
    'h2+https://localhost',
  ];
  for (const origin of origins) {
    expect(allowed(await ask({ origins, credentials: true }, { headers: { origin } }))).toEqual([origin, 'true', null]);
  }
});

it('lets any origin read answers, which do not depend on it', async () => {
  const answer = await ask({ origins: '*' }, {});
  expect([allowed(answer), answer.headers.get('vary')]).toEqual([['*', null, null], null]);
});

it('answers a preflight request', async () => {
  const headers = { origin: 'https://a.test', ...preflight };
  const plain = await ask({ origins: '*' }, { method: 'OPTIONS', headers });
  expect([plain.status, Object.fromEntries(plain.headers)]).toEqual([
    204,
    {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'PUT, PATCH, DELETE',
      'access-control-allow-headers': 'x-a, x-b',
      vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
    },
  ]);
  const exact = await ask(
    { origins: ['https://a.test'], methods: ['PUT'], headers: ['X-A', 'X-B'], maxAge: 600 },
    { method: 'OPTIONS', headers },
  );
  expect(Object.fromEntries(exact.headers)).toMatchObject({
    'access-control-allow-origin': 'https://a.test',
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'X-A, X-B',
    'access-control-max-age': '600',
  });
  const refused = await ask({ origins: ['https://b.test'] }, { method: 'OPTIONS', headers });
  expect([refused.status, allowed(refused)]).toEqual([204, [null, null, null]]);
});

it('allows no headers where a preflight request asks for none', async () => {
  const headers = { origin: 'https://a.test', 'access-control-request-method': 'PUT' };
  const answer = await ask({ origins: '*' }, { method: 'OPTIONS', headers });
  expect([answer.status, answer.headers.has('access-control-allow-headers')]).toEqual([204, false]);
});

it('leaves a request that is not a preflight to the route', async () => {
  const { 'access-control-request-method': method } = preflight;
  for (const headers of [{}, { origin: 'https://a.test' }, { 'access-control-request-method': method }]) {
    expect((await ask({ origins: '*' }, { method: 'OPTIONS', headers })).status).toBe(405);
  }
  const headers = { origin: 'https://a.test', 'access-control-request-method': method };
  expect((await ask({ origins: '*' }, { headers })).status).toBe(200);
});

it('refuses options that a browser would refuse', () => {
  expect(() => cors({ origins: '*', credentials: true })).toThrow(
    expect.objectContaining({ code: 'ERR_OPTION_INVALID', message: expect.stringContaining('List the origins') }),
  );
  for (const origin of [
    'https://a.test/',
    'HTTPS://a.test',
    'https:a.test',
    'https://a.test:443',
    'http://a.test:80',
    'https://A.test',
    '1app://localhost',
    'an app://localhost',
    'capacitor://localhost/',
    'a.test',
    'null',
  ]) {
    expect(() => cors({ origins: [origin] })).toThrow(
      expect.objectContaining({
        code: 'ERR_OPTION_INVALID',
        message:
          `cors() lists "${origin}", which is not an origin. Write scheme, host and port as a browser sends them, such as ` +
          '"https://app.example".',
      }),
    );
  }
});
