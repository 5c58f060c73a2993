import { json, request, safely, post } from '../case.ts';
import type { AttackCase, Expected } from '../case.ts';

const CRLF = [
  '%0d%0aX-Injected:%201',
  '%0aX-Injected:%201',
  '%0dX-Injected:%201',
  'a%0d%0a%0d%0aHTTP/1.1%20200%20OK%0d%0aX-Injected:%201',
  '%00',
  'a%00b',
  '%e5%98%8a%e5%98%8dX-Injected:%201',
  '%c4%8d%c4%8aX-Injected:%201',
];

/**
 * A route that puts such a value into headers fails, or a value without a line end is sent in one line: 500 is an
 * acceptable answer.
 */
const oneLine: Expected = { ...safely(undefined, 200, 302, 500), closes: false };

const WAYS = ['own', 'helper', 'callback', 'name', 'location', 'redirect', 'status'];

/** Header and CRLF injection, in and out: CWE-93, CWE-113. */
export const injection: readonly AttackCase[] = [
  ...WAYS.flatMap((way) =>
    CRLF.map((value) => ({
      name: `${value} into a header by ${way}`,
      section: 'CWE-113',
      bytes: request(`GET /header/${value}?by=${way}`),
      expected: oneLine,
    })),
  ),
  ...['/moved', '/anywhere', '/away', '/search', '/shown', '/asked'].flatMap((rule) =>
    ['%0d%0aX-Injected:%201', '%0aX-Injected:%201'].map((value) => ({
      name: `${value} through the rule ${rule}`,
      section: 'CWE-113',
      bytes: request(`GET ${rule}/${value}`),
      expected: safely(undefined, 200, 307),
    })),
  ),
  {
    name: 'a line end in the query of a redirect',
    section: 'CWE-113',
    bytes: request('GET /moved/x?q=%0d%0aX-Injected:%201'),
    expected: safely(undefined, 307),
  },
];

const PROTO_JSON = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"__proto__":null}',
  '{"a":{"__proto__":{"polluted":true}}}',
  '[{"__proto__":{"polluted":true}}]',
  '{"toString":1,"valueOf":2,"hasOwnProperty":3}',
  '{"then":{"constructor":1}}',
];

const isClean = json<{ polluted?: boolean }>(({ polluted }) => polluted === false);

/** Names that objects already have: CWE-1321. */
export const prototypes: readonly AttackCase[] = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__'].flatMap((name) => [
    {
      name: `${name} as a parameter`,
      section: 'CWE-1321',
      bytes: request(`GET /params/${name}`),
      expected: safely(
        json<{ params: { value: string }; isPlain: boolean }>((got) => got.params.value === name && got.isPlain),
      ),
    },
    {
      name: `${name} as the parameters __proto__ and constructor`,
      section: 'CWE-1321',
      bytes: request(`GET /proto/${name}/${name}`),
      expected: safely(
        json<{ params: [string, string][]; isPlain: boolean }>((got) => got.params.length === 2 && got.isPlain),
      ),
    },
    {
      name: `${name} as a path that no route has`,
      section: 'CWE-1321',
      bytes: request(`GET /${name}`),
      expected: safely(undefined, 404),
    },
    {
      name: `${name} in the query`,
      section: 'CWE-1321',
      bytes: request(`GET /echo?${name}=polluted&${name}[polluted]=true`),
      expected: safely(json<{ query: [string, string][] }>(({ query }) => query[0]?.[0] === name)),
    },
    {
      name: `${name} as a header`,
      section: 'CWE-1321',
      bytes: request('GET /echo', [`${name}: polluted`]),
      expected: safely(
        json<{ headers: [string, string][] }>(({ headers }) => headers.some(([key]) => key === name.toLowerCase())),
      ),
    },
    {
      name: `${name} as a cookie`,
      section: 'CWE-1321',
      bytes: request('GET /cookies', [`Cookie: ${name}=polluted; a=1`]),
      expected: safely(isClean),
    },
    {
      name: `${name} as a method`,
      section: 'CWE-1321',
      bytes: request(`${name} /echo`),
      expected: safely(undefined, 405),
    },
    {
      name: `${name} as Content-Type`,
      section: 'CWE-1321',
      bytes: post('/json', '{}', [`Content-Type: ${name}`]),
      expected: safely(isClean),
    },
    {
      name: `${name} as Accept-Encoding`,
      section: 'CWE-1321',
      bytes: request('GET /file.txt', [`Accept-Encoding: ${name}`]),
      expected: safely(),
    },
    {
      name: `${name} as a form field`,
      section: 'CWE-1321',
      bytes: post('/form', `${name}=1&${name}[polluted]=true`, ['Content-Type: application/x-www-form-urlencoded']),
      expected: safely(isClean),
    },
  ]),
  ...PROTO_JSON.map((body) => ({
    name: `the JSON ${body}`,
    section: 'CWE-1321',
    bytes: post('/json', body, ['Content-Type: application/json']),
    expected: safely(isClean),
  })),
];
