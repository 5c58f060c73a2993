import { apart, answers, post, refused, request, safely, text } from '../case.ts';
import type { AttackCase } from '../case.ts';

const INNER = 'GET /smuggled HTTP/1.1\r\nHost: inner\r\n\r\n';

/** Two readings of where a request ends. The inner request must never be answered. */
const lengths: readonly (readonly [name: string, lines: readonly string[], body: string])[] = [
  ['Content-Length before Transfer-Encoding', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding before Content-Length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], `0\r\n\r\n${INNER}`],
  [
    'two Transfer-Encoding, the last is identity',
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    `0\r\n\r\n${INNER}`,
  ],
  [
    'two Transfer-Encoding, the last is unknown',
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: cow'],
    `0\r\n\r\n${INNER}`,
  ],
  ['a list whose last is not chunked', ['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${INNER}`],
  ['an unknown Transfer-Encoding', ['Transfer-Encoding: xchunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding in quotes', ['Transfer-Encoding: "chunked"'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding behind a vertical tab', ['Transfer-Encoding: \x0bchunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding with a control character', ['Transfer-Encoding: chunked\x00'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding with a space before the colon', ['Transfer-Encoding : chunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding behind a space', [' Transfer-Encoding: chunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding folded over two lines', ['Transfer-Encoding:\r\n chunked'], `0\r\n\r\n${INNER}`],
  ['Transfer-Encoding with an underscore', ['Transfer_Encoding: chunked', 'Content-Length: 0'], ''],
  ['two Content-Length that differ', ['Content-Length: 0', `Content-Length: ${INNER.length}`], INNER],
  ['two Content-Length that differ, the longer first', [`Content-Length: ${INNER.length}`, 'Content-Length: 0'], INNER],
  ['a list of Content-Length that differ', [`Content-Length: 0, ${INNER.length}`], INNER],
  ['Content-Length with a plus', [`Content-Length: +${INNER.length}`], INNER],
  ['Content-Length with a minus', [`Content-Length: -${INNER.length}`], INNER],
  ['Content-Length in hexadecimal', [`Content-Length: 0x${INNER.length.toString(16)}`], INNER],
  [
    'Content-Length with a space inside',
    [`Content-Length: ${Math.floor(INNER.length / 10)} ${INNER.length % 10}`],
    INNER,
  ],
  ['Content-Length with a fraction', [`Content-Length: ${INNER.length}.0`], INNER],
  ['Content-Length with an exponent', ['Content-Length: 1e1'], INNER],
  ['Content-Length with an underscore', ['Content-Length: 1_0'], INNER],
  ['Content-Length of letters', ['Content-Length: NaN'], INNER],
  ['an empty Content-Length', ['Content-Length:'], INNER],
  ['Content-Length beyond 64 bits', ['Content-Length: 18446744073709551616'], INNER],
  ['Content-Length far beyond 64 bits', [`Content-Length: ${'9'.repeat(400)}`], INNER],
  ['Content-Length with a NUL', [`Content-Length: ${INNER.length}\x00`], INNER],
  ['Content-Length with a space before the colon', [`Content-Length : ${INNER.length}`], INNER],
  ['Content-Length folded over two lines', [`Content-Length:\r\n ${INNER.length}`], INNER],
  ['Content-Length in the digits of another script', [`Content-Length: \xd9\xa1`], INNER],
];

/** Invalid chunks. */
const chunks: readonly (readonly [name: string, body: string])[] = [
  ['a size with a sign', `+4\r\nabcd\r\n0\r\n\r\n`],
  ['a size with 0x', `0x4\r\nabcd\r\n0\r\n\r\n`],
  ['a size with a minus', `-1\r\nabcd\r\n0\r\n\r\n`],
  ['a size with a space in front', ` 4\r\nabcd\r\n0\r\n\r\n`],
  ['a size beyond 64 bits', `10000000000000004\r\nabcd\r\n0\r\n\r\n`],
  ['a size far beyond 64 bits', `${'f'.repeat(60)}\r\nabcd\r\n0\r\n\r\n`],
  ['no size', `\r\nabcd\r\n0\r\n\r\n`],
  ['a size of letters', `zz\r\nabcd\r\n0\r\n\r\n`],
  ['a line that ends in a bare CR', `4\rabcd\r\n0\r\n\r\n`],
  ['a chunk longer than its size', `4\r\nabcdefgh\r\n0\r\n\r\n`],
  ['a chunk without its line end', `4\r\nabcd0\r\n\r\n`],
  ['a NUL in the size', `4\x00\r\nabcd\r\n0\r\n\r\n`],
  ['an extension with a bare LF', `4;a=\nGET /smuggled HTTP/1.1\r\nabcd\r\n0\r\n\r\n`],
  ['a trailer with a space before the colon', `4\r\nabcd\r\n0\r\nX-Injected : 1\r\n\r\n`],
  ['a trailer that names the framing', `4\r\nabcd\r\n0\r\nContent-Length: 900\r\nTransfer-Encoding: x\r\n\r\n`],
  ['a trailer without end', `4\r\nabcd\r\n0\r\nX-Trailer: 1`],
];

/** Lines that are not header lines. */
const lines: readonly (readonly [name: string, line: string])[] = [
  ['a space before the colon', 'X-Injected : 1'],
  ['a tab before the colon', 'X-Injected\t: 1'],
  ['no colon', 'X-Injected'],
  ['no name', ': X-Injected'],
  ['a NUL in the name', 'X-In\x00jected: 1'],
  ['a NUL in the value', 'X-Value: a\x00b'],
  ['a bare CR in the value', 'X-Value: a\rX-Injected: 1'],
  ['a bare CR before a whole request', 'X-Value: a\r\rGET /smuggled HTTP/1.1'],
  ['a folded line', 'X-Value: a\r\n X-Injected: 1'],
  ['a folded line with a tab', 'X-Value: a\r\n\tb'],
  ['a non-ASCII name', 'X-\xe9: 1'],
  ['a name in parentheses', '(X): 1'],
];

const bodies = [
  ['ignored', '/ignored'],
  ['read', '/echo'],
] as const;

/** Request smuggling: RFC 9112 sections 2, 5, 6, 7 and 11.2. */
export const smuggling: readonly AttackCase[] = [
  ...bodies.flatMap(([how, path]) =>
    lengths.map(([name, lines, body]) => ({
      name: `${name}, body ${how}`,
      section: 'RFC 9112 section 6.3',
      bytes: request(`POST ${path}`, lines, body),
      expected: apart(),
    })),
  ),
  ...chunks.map(([name, body]) => ({
    name: `chunked: ${name}`,
    section: 'RFC 9112 section 7.1',
    bytes: request('POST /echo', ['Transfer-Encoding: chunked'], body),
    expected: apart(),
  })),
  ...lines.map(([name, line]) => ({
    name: `header line: ${name}`,
    section: 'RFC 9112 section 5',
    bytes: request('GET /echo', [line]),
    expected: safely(),
  })),
  {
    name: 'chunk extensions are skipped',
    section: 'RFC 9112 section 7.1.1',
    bytes: request('POST /echo', ['Transfer-Encoding: chunked'], '4;name=value;other="x"\r\nabcd\r\n0\r\n\r\n'),
    expected: safely(text(/"body":"abcd"/)),
  },
  {
    name: 'chunk extensions without end',
    section: 'CVE-2024-22019',
    bytes: request('POST /echo', ['Transfer-Encoding: chunked'], `4;${'x'.repeat(200_000)}\r\nabcd\r\n0\r\n\r\n`),
    // A body that breaks off makes the route that reads it fail.
    expected: safely(text(/"body":"abcd"/), 200, 500),
  },
  {
    name: 'a whole request inside of an honest body',
    section: 'RFC 9112 section 6.2',
    bytes: post('/ignored', INNER),
    expected: answers(200, text(/^ignored$/)),
  },
  {
    name: 'a body with GET',
    section: 'RFC 9110 section 9.3.1',
    bytes: request('GET /echo', [`Content-Length: ${INNER.length}`], INNER),
    expected: safely(),
  },
  {
    name: 'a body with HEAD',
    section: 'RFC 9110 section 9.3.2',
    bytes: request('HEAD /canary/x', [`Content-Length: ${INNER.length}`], INNER),
    expected: safely(),
    method: 'HEAD',
  },
  {
    name: 'lines that end in a bare LF',
    section: 'RFC 9112 section 2.2',
    bytes: ({ host, token }) => `GET /echo HTTP/1.1\nHost: ${host}\nX-Token: ${token}\n\n`,
    expected: apart(),
  },
  {
    name: 'the preface of HTTP/2',
    section: 'RFC 9113 section 3.4',
    bytes: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    // A host that supports HTTP/2 answers with a frame of type 4, SETTINGS.
    expected: { ...refused, waits: true, bytes: (frame) => frame.charCodeAt(3) === 4 },
  },
  {
    name: 'two spaces in the request line',
    section: 'RFC 9112 section 3',
    bytes: ({ host, token }) => `GET  /echo  HTTP/1.1\r\nHost: ${host}\r\nX-Token: ${token}\r\n\r\n`,
    expected: apart(text(/\/echo"/)),
  },
  {
    name: 'Transfer-Encoding with HTTP/1.0',
    section: 'RFC 9112 section 6.1',
    bytes: ({ host }) =>
      `POST /ignored HTTP/1.0\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${INNER}`,
    expected: apart(),
  },
  {
    name: 'Connection names Content-Length',
    section: 'RFC 9110 section 7.6.1',
    bytes: post('/ignored', INNER, ['Connection: Content-Length']),
    expected: safely(),
  },
  {
    name: 'Upgrade to h2c',
    section: 'RFC 9113 section 3.1',
    bytes: request('GET /echo', [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ]),
    // Node drops the bytes after such a request, and lets the connection time out.
    expected: apart(),
  },
  {
    name: 'Expect with an unknown value',
    section: 'RFC 9110 section 10.1.1',
    bytes: post('/ignored', 'abcd', ['Expect: 200-maybe']),
    expected: safely(),
  },
  ...(
    [
      ['HTTP/0.9', () => 'GET /smuggled\r\n'],
      ['a version that is none', ({ host }) => `GET /echo HTTP/9.9\r\nHost: ${host}\r\n\r\n`],
      ['a version of letters', ({ host }) => `GET /echo HTTQ/1.1\r\nHost: ${host}\r\n\r\n`],
      ['a space in the target', ({ host }) => `GET /ec ho HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      ['a NUL in the target', ({ host }) => `GET /ec\x00ho HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
      [
        'a space before the first header',
        ({ host }) => `GET /echo HTTP/1.1\r\n X-Injected: 1\r\nHost: ${host}\r\n\r\n`,
      ],
      ['a TLS greeting', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
      ['bytes without sense', () => '\x00\xff\xfe\xfd\r\n\r\n'],
      ['the answer of a server', () => 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ] satisfies [string, AttackCase['bytes']][]
  ).map(([name, bytes]) => ({ name, section: 'RFC 9112 section 3', bytes, expected: { ...refused, waits: true } })),
];
