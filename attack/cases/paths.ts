import { json, request, safely, text } from '../case.ts';
import type { AttackCase } from '../case.ts';

const UP = [
  '..',
  '%2e%2e',
  '.%2e',
  '%2e.',
  '%252e%252e',
  '..%00',
  '..;',
  '..%20',
  '..%c0%af',
  '%c0%ae%c0%ae',
  '%uff0e%uff0e',
  '\u002e\u002e\\',
  '..%5c',
  '%2e%2e%5c',
  '..%255c',
  '....',
  '%00..',
  '..%09',
];
const SLASHES = ['/', '%2f', '%252f', '%5c', '\\', '//'];
const SECRETS = [
  'server/package.json',
  'server/_appkit/routes.json',
  '../package.json',
  '../../../../../../etc/passwd',
];

/** Paths out of the folder of static files. The right answer is 404, or 400 if the path cannot be decoded. */
const traversal: readonly AttackCase[] = UP.flatMap((up, index) =>
  SLASHES.map((slash, turn) => {
    const secret = SECRETS[(index + turn) % SECRETS.length] as string;
    const path = `/${up}${slash}${secret.replaceAll('../', `${up}${slash}`)}`;
    return {
      name: `traversal ${path}`,
      section: 'CWE-22',
      bytes: request(`GET ${path}`),
      expected: safely(undefined, 200, 301, 307),
    };
  }),
);

/** Paths that lead to different places when two readers decode them differently. */
const strange = [
  '//evil.example/file.txt',
  '/./file.txt',
  '/nested/../file.txt',
  '/nested/./file.txt',
  '/nested//file.txt',
  '/file.txt/',
  '/file.txt%00',
  '/file.txt%00.html',
  '/file.txt%20',
  '/file.txt.',
  '/file.txt::$DATA',
  '/FILE.TXT',
  '/%66ile.txt',
  '/%2566ile.txt',
  '/nested%2ffile.txt',
  '/nested%5cfile.txt',
  '/nested\\file.txt',
  '/.',
  '/..',
  '/...',
  '/.git/config',
  '/.env',
  '/%2eenv',
  '/_appkit/routes.json',
  '/server/index.js',
  '/node_modules/appkit-server/package.json',
  '/package.json',
  '/dist/server/index.js',
  '/con',
  '/aux.txt',
  '/~root',
  '/;/file.txt',
  '/file.txt;x=1',
  '/?/../file.txt',
  '/#/../file.txt',
  '/nested',
  '/nested/',
  '/*',
  '/[value]',
  '/canary/[token]',
  '/%5Bvalue%5D',
];

/** Paths guarded by middleware: at the top of the app, in a folder, and in a nested folder. */
const guarded = ['/guarded', '/folder', '/outer/inner'];

/** Other names for a route behind middleware. Every answer is searched for the route's text. */
function listNames(folder: string): string[] {
  const encoded = `/%${folder.charCodeAt(1).toString(16)}${folder.slice(2)}`;
  return [
    `${folder}/x`,
    `/${folder}/x`,
    `/.${folder}/x`,
    `/x/..${folder}/x`,
    `${folder}//x`,
    `${folder}/x/`,
    `${encoded}/x`,
    `${folder}%2fx`,
    `${folder}/%2e%2e${folder}/x`,
    `${folder.toUpperCase()}/x`,
    `/inside${folder}/x`,
    `/inside${encoded}/x`,
    `/inside/x/..${folder}/x`,
    `/inside${folder}%2fx`,
    `${folder}/x?`,
    `${folder}/x%3f`,
    `${folder}/..%2f${folder.slice(1)}/x`,
    `${folder}\\x`,
    `${folder};/x`,
    `/anywhere${folder}/x`,
    folder.replaceAll('/', '//') + '/x',
    `${folder}/./x`,
    `${folder}/x/../y`,
    `/(group)${folder}/x`,
  ];
}

/** Invalid percent-encodings and invalid UTF-8. */
const malformed = [
  '%',
  '%2',
  '%zz',
  '%u0041',
  '%c0%80',
  '%c3',
  '%c3%28',
  '%e2%82',
  '%ed%a0%80',
  '%f0%80%80%80',
  '%f4%90%80%80',
  '%f8%88%80%80%80',
  '%ff',
  '%fe%fe%ff%ff',
  '%80',
  '%2%66',
  'a%',
  '%%',
  '%25%',
  '%00',
];

/** Path traversal, encodings and ways around the middleware. */
export const paths: readonly AttackCase[] = [
  ...traversal,
  ...strange.map((path) => ({
    name: `the path ${path}`,
    section: 'RFC 3986 section 6',
    bytes: request(`GET ${path}`),
    expected: safely(undefined, 200, 301, 304, 307),
  })),
  ...guarded.flatMap(listNames).map((path) => ({
    name: `around the middleware by ${path}`,
    section: 'CWE-288',
    bytes: request(`GET ${path}`),
    expected: safely(undefined, 401, 307),
  })),
  ...malformed.flatMap((value) => [
    {
      name: `${value} in a parameter`,
      section: 'RFC 3986 section 2.1',
      bytes: request(`GET /params/${value}`),
      expected: safely(),
    },
    {
      name: `${value} in the query`,
      section: 'RFC 3986 section 2.1',
      bytes: request(`GET /echo?q=${value}`),
      expected: safely(text(/"query"/)),
    },
    {
      name: `${value} in a path without a route`,
      section: 'RFC 3986 section 2.1',
      bytes: request(`GET /none/${value}`),
      expected: safely(undefined, 404),
    },
  ]),
  ...['\xc3\xa9', '\xff', '\x80\x81', '\x7f', '\x01', '\t', '"<>', '{}|^`'].map((value) => ({
    name: `the bytes ${JSON.stringify(value)} in the path`,
    section: 'RFC 9112 section 3.2',
    bytes: request(`GET /params/${value}`),
    expected: safely(),
  })),
  {
    name: 'a slash in a parameter is no separator',
    section: 'RFC 3986 section 2.2',
    bytes: request('GET /params/a%2Fb'),
    expected: safely(json<{ params: { value: string } }>(({ params }) => params.value === 'a/b')),
  },
  {
    name: 'a parameter is decoded once',
    section: 'RFC 3986 section 2.4',
    bytes: request('GET /params/%2541'),
    expected: safely(json<{ params: { value: string } }>(({ params }) => params.value === '%41')),
  },
  ...[1000, 7000, 15_000, 70_000, 1_000_000].map((length) => ({
    name: `a path of ${length} bytes`,
    section: 'RFC 9110 section 4.1',
    bytes: request(`GET /rest/${'a'.repeat(length)}`),
    expected: safely(),
  })),
  {
    name: 'a path of 7,000 segments',
    section: 'CWE-674',
    bytes: request(`GET /rest${'/a'.repeat(7000)}`),
    expected: safely(),
  },
  {
    name: 'a path of 7,000 slashes',
    section: 'CWE-674',
    bytes: request(`GET /rest${'/'.repeat(7000)}`),
    expected: safely(),
  },
  {
    name: 'a path of 4,000 dots and slashes',
    section: 'CWE-22',
    bytes: request(`GET ${'/..'.repeat(1300)}/file.txt`),
    expected: safely(),
  },
];
