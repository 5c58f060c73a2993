import type { Emulator, Gap } from '../../conformance/emulator.ts';

const workerd = 'https://github.com/cloudflare/workerd';
const docs = 'https://developers.cloudflare.com/workers';

/** Gaps of one cause. */
function because(reason: string, link: string, behaviours: readonly string[]): Gap[] {
  return behaviours.map((behaviour) => ({ behaviour, reason, link }));
}

const gaps: readonly Gap[] = [
  ...because(
    'The HTTP server of workerd refuses such a request with 500, before a Worker runs. Deployed, the network of Cloudflare stands in front of it.',
    workerd,
    [
      'answers 400 to a Host header with a path',
      'answers 400 to a Host header with user information',
      'answers 400 to a Host header that is no host',
      'answers 400 to two Host headers',
      'answers 400 to a target that is no path',
      'keeps the host for an absolute-form target',
      'keeps the scheme for an absolute-form target',
      'is not evaded by an absolute-form target',
      'refuses two Content-Length headers that differ',
      'survives OPTIONS *',
    ],
  ),
  ...because(
    'The HTTP server of workerd knows no extensions of chunks and no 100 Continue, and closes the connection on a body that no Worker reads. Deployed, the network of Cloudflare stands in front of it.',
    workerd,
    [
      'gives a chunked body whole',
      'asks for a body that waits for 100 Continue',
      'answers the next request after a body nobody read',
      'answers further requests after a 413',
    ],
  ),
  ...because(
    'workerd ends an answer whose stream has failed as if it were whole.',
    'https://github.com/cloudflare/workerd/issues/6818',
    ['breaks the connection off when a stream fails', 'does not answer whole when a stream fails at once'],
  ),
  ...because(
    'workerd drops a request whose client has left, and tells neither its stream nor, before an answer, its signal.',
    'https://github.com/cloudflare/workerd/issues/5611',
    [
      'cancels the stream and aborts the signal when the client leaves',
      'aborts the signal when the client leaves before the response',
      'cancels a response that comes after the client has left',
      'aborts a signal whose Request has been collected',
    ],
  ),
  ...because('workerd takes the values of headers for UTF-8.', 'https://github.com/cloudflare/workerd/issues/6927', [
    'keeps the bytes of a header value',
    'sends a header value byte for byte',
  ]),
  ...because(
    'workerd joins the lines of Cookie by a comma. A client sends one, or over HTTP/2 Cloudflare joins them.',
    workerd,
    ['joins Cookie lines with a semicolon'],
  ),
  ...because(
    'workerd takes the length of a stream from a FixedLengthStream, which the route has to pipe it through.',
    `${docs}/runtime-apis/streams/transformstream/#fixedlengthstream`,
    ["keeps a route's own content-length on a stream"],
  ),
  ...because('workerd sends no length with an answer to HEAD that does not state one.', workerd, [
    'gives HEAD the content-length of GET',
  ]),
  ...because(
    "workerd codes a body itself, unless the route makes its Response with encodeBody: 'manual'.",
    `${docs}/runtime-apis/response/#parameters`,
    ['leaves a coded body alone'],
  ),
  ...because(
    'A Worker has no shutdown. Cloudflare lets requests and waitUntil go on elsewhere; miniflare just ends.',
    `${docs}/runtime-apis/context/#waituntil`,
    ['finishes tasks before it stops', 'finishes requests before it stops'],
  ),
  ...because(
    'Cloudflare answers the path of a static file itself, a method other than GET and HEAD with 405.',
    `${docs}/static-assets/routing/`,
    ['leaves a POST to the path of a file to the routes'],
  ),
  ...because(
    'Cloudflare redirects /page.html to /page, unless html_handling says otherwise.',
    `${docs}/static-assets/routing/advanced/html-handling/`,
    ['answers a page of its own at the origin of the page'],
  ),
  ...because(
    'The one route behind these reads its own file, and a Worker has no files.',
    `${docs}/runtime-apis/nodejs/fs/`,
    [
      'runs a route that imports an ES module package',
      'runs a route that imports a CommonJS package',
      'runs a route that imports dynamically',
      'runs a route that imports built-in modules of Node',
      'gives a route an import.meta.url that is its own file',
      'runs TypeScript that is more than types',
    ],
  ),
];

const dryRun = ['deploy', '--dry-run', '--outdir'];

const shared = {
  dependencies: {},
  tools: 'tools',
  env: {
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
  },
  prepare: [
    ['wrangler', ...dryRun, 'worker'],
    ['wrangler', ...dryRun, 'worker-with-options', 'options.mjs'],
  ],
  tool: { command: ['wrangler', '--version'], expected: /4\.153\.0/ },
  ready: /Listening on (http:\/\/\S+)/,
  gaps,
} satisfies Partial<Emulator>;

/** Workerd, run by miniflare with the files that wrangler would upload. */
export const emulators: readonly Emulator[] = [
  {
    ...shared,
    name: 'cloudflare',
    title: 'Cloudflare workerd 1.20260730.1, bundled by wrangler 4.153.0',
    files: ['emulator'],
    command: ['node', 'serve.mjs', 'worker', 'worker.js'],
    commandWithOptions: ['node', 'serve.mjs', 'worker-with-options', 'options.js'],
  },
  {
    ...shared,
    name: 'cloudflare-unbundled',
    title: 'Cloudflare workerd 1.20260730.1, file by file',
    files: ['emulator', 'emulator-unbundled'],
    prepare: [['cp', '-RL', 'node_modules/appkit-server/lib', 'appkit-server'], ...shared.prepare],
    command: ['node', 'serve.mjs', 'worker', 'worker.mjs'],
    commandWithOptions: ['node', 'serve.mjs', 'worker-with-options', 'options.mjs'],
  },
];
