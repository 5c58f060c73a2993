/** One kind of exchange that every server answers in the same way. */
export interface Scenario {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  connections: number;
  /** The correct answer, checked before anything is measured: its bytes without a content coding. */
  expected: { bytes: number; startsWith: string; isCoded?: boolean };
  /** Whether to send the validators of a first answer, which is checked, so that the measured answer is 304. */
  revalidates?: boolean;
}

const tenKilobytes = JSON.stringify({
  items: Array.from({ length: 160 }, (_, id) => ({
    id,
    name: `item number ${id}`,
    on: id % 2 === 0,
    tags: ['a', 'b'],
  })),
});

/** Nineteen headers, like those that a browser behind a proxy sends. */
const headers: Record<string, string> = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'identity',
  'accept-language': 'en-US,en;q=0.9,de;q=0.8',
  'cache-control': 'no-cache',
  cookie: 'session=0123456789abcdef0123456789abcdef; theme=dark; locale=en',
  dnt: '1',
  pragma: 'no-cache',
  priority: 'u=0, i',
  referer: 'http://127.0.0.1/previous/page',
  'sec-ch-ua': '"Chromium";v="156", "Not.A/Brand";v="8"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-user': '?1',
  'upgrade-insecure-requests': '1',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'x-request-id': '7f3c2b1a-0d9e-4c8b-a7f6-5e4d3c2b1a09',
};

const text = {
  method: 'GET',
  path: '/text',
  connections: 32,
  expected: { bytes: 13, startsWith: 'Hello, world!' },
} as const;
const json = {
  method: 'GET',
  path: '/json/42',
  connections: 32,
  expected: { bytes: 21, startsWith: '{"id":"42"' },
} as const;
const megabyte = 'a'.repeat(1024 * 1024);

/**
 * Small exchanges, in which the server does most of the work. The client adds the Host header as the first or
 * twentieth.
 */
export const smallScenarios: readonly Scenario[] = [
  { ...text, name: 'text, 1 header', headers: {} },
  { ...text, name: 'text, 20 headers', headers },
  { ...json, name: 'JSON + param, 1 header', headers: {} },
  { ...json, name: 'JSON + param, 20 headers', headers },
];

/** What most routes need: a value that a folder's middleware has found through a cookie, and a cookie in the answer. */
export const everyday: Scenario = {
  name: 'locals, cookies, a folder with middleware',
  method: 'GET',
  path: '/members/me',
  headers,
  connections: 32,
  expected: { bytes: 58, startsWith: '{"user":"0123456789abcdef' },
};

/** The usual form of an API answer in production. */
export const compressed: Scenario = {
  name: 'compressed JSON, 10 KB',
  method: 'GET',
  path: '/items',
  headers: { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' },
  connections: 32,
  expected: { bytes: Buffer.byteLength(tenKilobytes), startsWith: '{"items"', isCoded: true },
};

/** The name of a file that no server compresses. */
export const FILE = 'megabyte.bin';
const file = { method: 'GET', path: `/${FILE}`, expected: { bytes: 1024 * 1024, startsWith: 'aaaa' } } as const;

/** A file: complete, and as the 304 for a client that already has it. */
export const fileScenarios: readonly Scenario[] = [
  { ...file, name: '1 MB file', headers, connections: 8 },
  { ...file, name: '304', headers: {}, connections: 32, revalidates: true },
];

/** The scenarios that every server answers, in this order. */
export const scenarios: readonly Scenario[] = [
  ...smallScenarios,
  {
    name: '10 KB echo',
    method: 'POST',
    path: '/echo',
    headers: { ...headers, 'content-type': 'application/json' },
    body: tenKilobytes,
    connections: 32,
    expected: { bytes: Buffer.byteLength(tenKilobytes), startsWith: '{"items"' },
  },
  {
    name: '1 MB stream',
    method: 'GET',
    path: '/stream',
    headers,
    connections: 8,
    expected: { bytes: 1024 * 1024, startsWith: 'aaaa' },
  },
  {
    name: '1 MB upload piped back',
    method: 'POST',
    path: '/upload',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: megabyte,
    connections: 8,
    expected: { bytes: megabyte.length, startsWith: 'aaaa' },
  },
];
