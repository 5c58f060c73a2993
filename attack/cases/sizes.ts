import { gzipSync } from 'node:zlib';
import { apart, json, post, request, safely, text } from '../case.ts';
import type { AttackCase } from '../case.ts';

const bomb = gzipSync(Buffer.alloc(20_000_000)).toString('latin1');

const ODD_METHODS = [
  'get',
  'Get',
  'FOO',
  'TRACE',
  'TRACK',
  'CONNECT',
  'PROPFIND',
  'M-SEARCH',
  'PURGE',
  'QUERY',
  'X'.repeat(300),
  'GE\x00T',
  'GE(T)',
  '"GET"',
  'G\xc9T',
  'SOURCE',
  'PATCHY',
];

/** Heads, bodies and method tokens that are too large, too many or missing. */
export const sizes: readonly AttackCase[] = [
  ...[8_000, 17_000, 70_000, 1_000_000, 5_000_000].map((length) => ({
    name: `a header of ${length} bytes`,
    section: 'RFC 6585 section 5',
    bytes: request('GET /canary/x', [`X-Large: ${'a'.repeat(length)}`]),
    expected: safely(),
  })),
  ...[90, 1_000, 10_000, 100_000].map((count) => ({
    name: `${count} headers`,
    section: 'RFC 6585 section 5',
    bytes: request(
      'GET /canary/x',
      Array.from({ length: count }, (_, index) => `X-${index}: a`),
    ),
    expected: safely(),
  })),
  ...[100, 900, 20_000].map((count) => ({
    name: `${count} cookies`,
    section: 'RFC 6265 section 6.1',
    bytes: request('GET /cookies', [
      `Cookie: ${Array.from({ length: count }, (_, index) => `c${index}=1`).join('; ')}`,
    ]),
    expected: safely(json<{ count: number }>((got) => got.count === count)),
  })),
  {
    name: '60 Cookie lines',
    section: 'RFC 6265 section 5.4',
    bytes: request(
      'GET /cookies',
      Array.from({ length: 60 }, (_, index) => `Cookie: c${index}=1`),
    ),
    expected: safely(),
  },
  {
    name: 'a name of 60,000 bytes',
    section: 'RFC 6585 section 5',
    bytes: request('GET /canary/x', [`${'X'.repeat(60_000)}: a`]),
    expected: safely(),
  },
  ...['gzip', 'deflate', 'br', 'gzip, gzip', 'zstd', '__proto__'].map((coding) => ({
    name: `a body of 20 MB packed by ${coding} is not unpacked`,
    section: 'CWE-409',
    bytes: post('/echo', bomb, [`Content-Encoding: ${coding}`]),
    // If it were unpacked, the answer would be as long.
    expected: safely(({ body }) => (body.length < 2_000_000 ? undefined : `${body.length} bytes came back`)),
  })),
  {
    name: 'Transfer-Encoding: gzip, chunked',
    section: 'RFC 9112 section 6.1',
    bytes: request('POST /echo', ['Transfer-Encoding: gzip, chunked'], '4\r\nabcd\r\n0\r\n\r\n'),
    expected: safely(),
  },
  ...ODD_METHODS.map((method) => ({
    name: `the method ${JSON.stringify(method.slice(0, 20))}`,
    section: 'RFC 9110 section 9.1',
    bytes: request(`${method} /echo`),
    expected: safely(undefined, 200, 405),
  })),
  {
    name: 'OPTIONS for all of the server',
    section: 'RFC 9110 section 9.3.7',
    bytes: request('OPTIONS *'),
    expected: safely(undefined, 200, 204, 404),
  },
  {
    name: 'more is announced than comes',
    section: 'RFC 9112 section 8',
    bytes: request('POST /echo', ['Content-Length: 100000'], 'abcd'),
    expected: apart(),
  },
  {
    name: 'a body larger than any server takes',
    section: 'RFC 9110 section 15.5.14',
    bytes: request('POST /echo', ['Content-Length: 9007199254740991'], 'abcd'),
    expected: apart(),
  },
  {
    name: 'JSON 5,000 levels deep',
    section: 'CWE-674',
    bytes: post('/json', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
    expected: safely(undefined, 200, 500),
  },
  {
    name: 'JSON that is none',
    section: 'RFC 8259',
    bytes: post('/json', '{"a":'),
    expected: safely(undefined, 500),
  },
  {
    name: 'a form of 20,000 fields',
    section: 'CWE-400',
    bytes: post('/form', Array.from({ length: 20_000 }, (_, index) => `f${index}=1`).join('&'), [
      'Content-Type: application/x-www-form-urlencoded',
    ]),
    expected: safely(text(/"polluted":false/)),
  },
  {
    name: 'a multipart form without an end',
    section: 'RFC 7578',
    bytes: post('/form', '--x\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\n1', [
      'Content-Type: multipart/form-data; boundary=x',
    ]),
    expected: safely(undefined, 200, 500),
  },
  {
    name: 'a multipart form without a boundary',
    section: 'RFC 7578',
    bytes: post('/form', 'x', ['Content-Type: multipart/form-data']),
    expected: safely(undefined, 500),
  },
  {
    name: 'a route that fails says nothing',
    section: 'CWE-209',
    bytes: request('GET /error'),
    expected: { statuses: [500] },
  },
  ...[
    'bytes=0-0',
    'bytes=999999999-',
    'bytes=-1',
    'bytes=5-1',
    'bytes=0-,0-,0-',
    `bytes=${'0-,'.repeat(1500)}0-`,
    'bytes=a-b',
    'bytes=-9007199254740993',
  ].map((range) => ({
    name: `the Range ${range.slice(0, 30)}`,
    section: 'RFC 9110 section 14.2',
    bytes: request('GET /file.txt', [`Range: ${range}`]),
    expected: safely(undefined, 200, 206, 416),
  })),
  ...['*', '"x"', '"', 'W/"x", *', '"\xff"', `${'"a",'.repeat(1500)}"b"`].map((tag) => ({
    name: `the If-None-Match ${tag.slice(0, 20)}`,
    section: 'RFC 9110 section 13.1.2',
    bytes: request('GET /file.txt', [`If-None-Match: ${tag}`]),
    expected: safely(undefined, 200, 304, 412),
  })),
  ...['Thu, 01 Jan 1970 00:00:00 GMT', 'x', '9'.repeat(300), '-1'].map((date) => ({
    name: `the If-Modified-Since ${date.slice(0, 30)}`,
    section: 'RFC 9110 section 13.1.3',
    bytes: request('GET /file.txt', [`If-Modified-Since: ${date}`]),
    expected: safely(undefined, 200, 304),
  })),
];
