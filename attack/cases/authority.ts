import { json, request, safely } from '../case.ts';
import type { AttackCase } from '../case.ts';

const spoofed = [
  'evil.example',
  'evil.example:99999',
  'evil.example/path',
  'user@evil.example',
  'a b',
  'a,b',
  '"',
  '<script>',
  '\\',
  '[::1',
  '%0d%0a',
  '',
  '.',
  '\x01',
  'a'.repeat(5000),
];

const hosts: readonly AttackCase[] = spoofed.map((host) => ({
  name: `the Host ${JSON.stringify(host.slice(0, 40))}`,
  section: 'RFC 9112 section 3.2',
  bytes: ({ token }) => `GET /echo HTTP/1.1\r\nHost: ${host}\r\nX-Token: ${token}\r\n\r\n`,
  // Any client may name a host; the URL contains exactly that host, in the form of a host.
  expected: safely(
    json<{ url: string }>(
      ({ url }) => URL.canParse(url) && new URL(url).username === '' && new URL(url).pathname === '/echo',
    ),
  ),
}));

/**
 * Headers that proxies set and any client can send. Without trustProxy, none of them says where the request arrived.
 */
const forwarded = [
  'X-Forwarded-Host: evil.example',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 444',
  'X-Forwarded-Prefix: /evil',
  'X-Forwarded-Server: evil.example',
  'X-Forwarded-Scheme: https',
  'X-Forwarded-For: 127.0.0.1',
  'X-Host: evil.example',
  'X-Original-Host: evil.example',
  'X-Original-URL: /guarded/x',
  'X-Rewrite-URL: /guarded/x',
  'X-HTTP-Method-Override: DELETE',
  'X-HTTP-Method: DELETE',
  'Forwarded: host=evil.example;proto=https',
  'Front-End-Https: on',
  'X-Middleware-Subrequest: +middleware:+middleware:+middleware:+middleware:+middleware',
];

/** Host spoofing and cache poisoning: CWE-348, CWE-444. */
export const authority: readonly AttackCase[] = [
  ...hosts,
  ...forwarded.map((line) => ({
    name: `${line} is not believed`,
    section: 'CWE-348',
    bytes: request('GET /echo', [line]),
    expected: safely(
      json<{ url: string; method: string }>(
        ({ url, method }) => /^http:\/\/127\.0\.0\.1:\d+\/echo$/.test(url) && method === 'GET',
      ),
    ),
  })),
  ...forwarded.map((line) => ({
    name: `${line} opens no guarded route`,
    section: 'CWE-288',
    bytes: request('GET /guarded/x', [line]),
    expected: safely(undefined, 401),
  })),
  ...forwarded.slice(0, 4).map((line) => ({
    name: `${line} does not change a redirect`,
    section: 'CWE-601',
    bytes: request('GET /moved/x', [line]),
    expected: safely(
      ({ values }) => (values('location').join() === '/rest/x' ? undefined : `to ${values('location').join()}`),
      307,
    ),
  })),
  ...(
    [
      ['no Host', 'GET /echo HTTP/1.1\r\n'],
      ['two Host', 'GET /echo HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n'],
      ['two Host that are the same', 'GET /echo HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n'],
    ] as const
  ).map(([name, head]) => ({
    name,
    section: 'RFC 9112 section 3.2',
    bytes: () => `${head}\r\n`,
    expected: safely(),
  })),
  ...(
    [
      ['http://evil.example/echo', 200],
      ['https://evil.example/echo', 200],
      ['http://user:secret@evil.example/echo', 200],
      ['http://evil.example', 404],
      ['http:///echo', 200],
      ['ftp://evil.example/echo', 404],
      ['file:///etc/passwd', 404],
      ['javascript:alert(1)', 404],
      ['evil.example:443', 404],
      ['*', 404],
      ['echo', 404],
      ['?x', 404],
      ['http://evil.example/../../etc/passwd', 404],
      ['http://evil.example//evil.example/echo', 404],
    ] as const
  ).map(([target, status]) => ({
    name: `the target ${target}`,
    section: 'RFC 9112 section 3.2',
    bytes: request(`GET ${target}`),
    expected: safely(
      status === 200
        ? json<{ url: string }>(({ url }) => url.includes('127.0.0.1') && !url.includes('evil'))
        : undefined,
      status,
    ),
  })),
];

const isLocal = (location: string): boolean => {
  const url = URL.parse(location, 'http://app.example/anywhere/x');
  return url?.origin === 'http://app.example';
};

/** Targets that a redirect must not lead to: CWE-601. */
const elsewhere = [
  '//evil.example',
  '/evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '%5c%5cevil.example',
  '%2f%2fevil.example',
  '%2fevil.example',
  '%5cevil.example',
  'http://evil.example',
  'http:%2f%2fevil.example',
  'https:evil.example',
  '%09/evil.example',
  '%0a/evil.example',
  '%20//evil.example',
  '.%2fevil.example',
  '..//evil.example',
  '..%2f..%2fevil.example',
  '@evil.example',
  '%40evil.example',
  'javascript:alert(1)',
  'x//evil.example',
  '%e3%80%82evil.example',
  '%00//evil.example',
  './/evil.example',
  './/evil.example',
];

/** Open redirects, through rules whose destinations contain parts of the path. */
export const redirects: readonly AttackCase[] = [
  ...['/anywhere', '/moved'].flatMap((rule) =>
    elsewhere.map((value) => ({
      name: `${rule}/${value} stays on the site`,
      section: 'CWE-601',
      bytes: request(`GET ${rule}/${value}`),
      expected: safely(
        ({ values }) => {
          const location = values('location').join();
          return isLocal(location) ? undefined : `an open redirect to ${location}`;
        },
        307,
        301,
        200,
      ),
    })),
  ),
  ...elsewhere.map((value) => ({
    name: `/away/${value} stays on its host`,
    section: 'CWE-601',
    bytes: request(`GET /away/${value}`),
    expected: safely(({ values }) => {
      const location = values('location').join();
      return URL.parse(location)?.origin === 'https://example.com' ? undefined : `an open redirect to ${location}`;
    }, 307),
  })),
  ...elsewhere.map((value) => ({
    name: `/inside/${value} is answered by the app`,
    section: 'CWE-918',
    bytes: request(`GET /inside/${value}`),
    expected: safely(undefined, 404),
  })),
  ...['x%26admin=1', 'x%23fragment', 'x%3dadmin', 'x%26term=y', 'x;admin=1', '%5bterm%5d'].map((value) => ({
    name: `/asked/${value} is one value of the query`,
    section: 'CWE-88',
    bytes: request(`GET /asked/${value}`),
    expected: safely(
      json<{ query: [string, string][] }>(({ query }) => query.length === 1 && query[0]?.[0] === 'term'),
    ),
  })),
];
