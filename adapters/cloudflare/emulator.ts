import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator, Gap, Lack } from '../../conformance/emulator.ts';

// The library that contains workerd's HTTP server.
const kj = 'https://github.com/capnproto/capnproto/blob/v2/c++/src/kj/compat';
const docs = 'https://developers.cloudflare.com/workers';

const inFront = 'Deployed, the network of Cloudflare stands in front of it.';

const gaps: readonly Gap[] = [
  ...gapsOf(`workerd can make no URL of it, and answers 500 before a Worker runs. ${inFront}`, `${kj}/url.c++`, {
    'answers 400 to a Host header that is no host': /\[ 'a b', 500 \] to deeply equal \[ 'a b', 400 \]/,
    'answers 400 to a Host header with a comma': /expected 500 to be 400/,
    'answers 400 to two Host headers': /expected 500 to be 400/,
    'survives OPTIONS *': /expected 500 to be less than 500/,
  }),
  ...gapsOf(`workerd makes a URL of it, which is all that a Worker sees. ${inFront}`, `${kj}/url.c++`, {
    'answers 400 to a Host header with a path': /expected 404 to be 400/,
    'answers 400 to its own host with a path behind it': /expected (?:200|404) to be 400/,
    'answers 400 to a Host header with user information': /expected (?:200|404) to be 400/,
    'answers 400 to a target that is no path': /expected (?:200|404) to be 400/,
  }),
  ...gapsOf(`workerd sends no Date. ${inFront}`, `${kj}/http.c++`, {
    'says when it has answered': /'Invalid Date'/,
  }),
  ...gapsOf(
    'workerd does not tell a route that has not answered yet when its client leaves.',
    'https://github.com/cloudflare/workerd/issues/5611',
    {
      'aborts the signal when the client leaves before the response': 'time-out',
      'tells onError of abort listeners that fail, and goes on': 'time-out',
      'cancels a response that comes after the client has left': 'time-out',
      'aborts a signal whose Request has been collected': 'time-out',
    },
  ),
  ...gapsOf(
    'workerd reads a stream itself and says only in its logs that it has failed. One of ours around it would be sent without its length.',
    `${docs}/runtime-apis/streams/`,
    { 'tells onError of a stream that fails': 'time-out' },
  ),
  ...gapsOf(
    'workerd reads a stream itself, outside of the async context of the request.',
    `${docs}/runtime-apis/nodejs/asynclocalstorage/`,
    { 'keeps the request context in each part of a stream': /terminated/ },
  ),
  ...gapsOf(
    'workerd ends a Worker that waits when its client leaves, without a word to it.',
    'https://developers.cloudflare.com/workers/runtime-apis/request/#the-signal-property',
    { 'ends a source that waits for its next event when the client leaves': 'time-out' },
  ),
  ...gapsOf('workerd lets no code collect garbage, and evaluates none by node:vm.', `${docs}/runtime-apis/nodejs/`, {
    'forgets answered requests to which a listener of their signal refers': /Unexpected token 'I', "Internal s"/,
  }),
  ...gapsOf('workerd prints only that the printing has failed.', `${docs}/runtime-apis/console/`, {
    'prints the stack of an error whose printing fails': 'time-out',
  }),
  ...gapsOf('workerd takes the values of headers for UTF-8.', 'https://github.com/cloudflare/workerd/issues/6927', {
    'keeps the bytes of a header value': /to deep equally contain \[ 'x-bytes'/,
    'sends a header value byte for byte': /expected 'cafÃ©' to be 'café'/,
  }),
  ...gapsOf(
    'workerd joins the lines of Cookie by a comma. A client sends one, or over HTTP/2 Cloudflare joins them.',
    `${kj}/http.c++`,
    {
      'joins Cookie lines with a semicolon': /expected 'a=1, b=2'/,
    },
  ),
  ...gapsOf(
    'workerd takes the length of a stream from a FixedLengthStream, which the route has to pipe it through.',
    `${docs}/runtime-apis/streams/transformstream/#fixedlengthstream`,
    {
      "keeps a route's own content-length on a stream": /expected 'chunked' to be 'content-length'/,
    },
  ),
  ...gapsOf('workerd sends no length with an answer to HEAD that does not state one.', `${kj}/http.c++`, {
    'gives HEAD the content-length of GET': /expected \+0 to be \d+/,
  }),
  ...gapsOf(
    "workerd codes a body itself, unless the route makes its Response with encodeBody: 'manual'.",
    `${docs}/runtime-apis/response/#parameters`,
    {
      'leaves a coded body alone': /expected \[ 31, 139, 8, \+0/,
    },
  ),
  ...gapsOf(
    'The asset server checks one ETag in If-None-Match, and no other condition.',
    `${docs}/static-assets/headers/`,
    {
      'answers 304 to the ETag of a file': /expected \[ 200, …\(2\) \] to deeply equal \[ 304/,
      'answers 304 to the date of a file': /expected 200 to be 304/,
      'answers 412 when If-Match names another file': /expected 200 to be 412/,
    },
  ),
  ...gapsOf('The server of assets sends whole files only, as RFC 9110 allows.', `${docs}/static-assets/`, {
    'sends a part of a file': /expected \[ 200, null, '10', '0123456789' \]/,
    'sends the end of a file': /expected \[ 200, null, '10', '0123456789' \]/,
    'answers 416 to a part past the end of a file': /expected \[ 'bytes=10-', 200, null \]/,
    'sends a part only of the file that If-Range names': /expected 200 to be 206/,
  }),
  ...gapsOf('The server of assets sends no length with an answer to HEAD.', `${kj}/http.c++`, {
    'answers HEAD of a file as GET, without the file': /to deeply equal \{ Object \(status, headers/,
    'does not look at the range of HEAD': /expected \[ 200, null \] to deeply equal \[ 200, '10' \]/,
  }),
  ...gapsOf(
    `Files are coded on the way to the client, by the rules of Cloudflare: the emulator takes the first of gzip and br. ${inFront}`,
    'https://developers.cloudflare.com/speed/optimization/content/compression/',
    {
      'sends a file in brotli': /expected 'gzip' to be 'br'/,
      'sends a file in Zstandard': /expected 'gzip' to be 'zstd'/,
      'looks at the weights of Accept-Encoding': /expected \[ 'gzip', 'gzip', null, null, …\(3\) \]/,
      'says that a file depends on Accept-Encoding': /expected \[ \[ 200, null \], \[ 200, null \]/,
      'has an ETag for each coding of a file': /expected 1 to be 4/,
      'sends a part of the coded file': /expected \[ 200, null \] to deeply equal \[ 206/,
      'answers HEAD with the length of the coded file': /expected \[ null, 'br' \]/,
      'leaves small files uncoded': /expected \[ 'br', null, 14 \]/,
    },
  ),
  ...gapsOf('The server of assets refuses the method without Allow.', `${docs}/static-assets/`, {
    'answers 405 to another method of a file': /expected \[ 'POST', 405, null \]/,
  }),
  ...gapsOf(
    'The asset server redirects with 307 to the path without .html and with the right slash.',
    `${docs}/static-assets/routing/advanced/html-handling/`,
    {
      'gives each kind of file its media type and charset': /expected \[ '\/page\.html', null \]/,
      'leads to the slash that the index of a folder needs': /expected \[ 307,/,
      'leads a page away from a slash that it does not have': /expected \[ 307,/,
      'finds no file below another': /expected \[ '\/nested\/\/', false \]/,
    },
  ),
  ...gapsOf('A Worker has no files, and its modules have no import.meta.url.', `${docs}/runtime-apis/nodejs/fs/`, {
    'gives a route an import.meta.url that is its own file': /expected 500 to be 200/,
  }),
];

const unbundledGaps = gapsOf(
  'workerd keeps the failure of a module for as long as the isolate lives. Bundled by wrangler, a route is no module of workerd.',
  'https://github.com/cloudflare/workerd/blob/main/src/workerd/jsg/modules.c++',
  {
    'runs a shared module that threw again for the next request': /expected 500 to be 200/,
    'keeps the state of what a module that threw has imported': /expected 500 to be 200/,
    'never gives out half of a CommonJS module that threw': /expected 500 to be 200/,
  },
);

const bundledGaps = gapsOf(
  'wrangler makes one ES module of all files, which is in strict mode.',
  'https://developers.cloudflare.com/workers/wrangler/bundling/',
  { 'runs other CommonJS modules in sloppy mode': /to match object \{ sloppy: false \}/ },
);

const lacks: readonly Lack[] = [
  {
    what: 'jobKeys',
    reason: 'A queue of Cloudflare does not know keys: enqueue() with one rejects.',
    link: 'https://developers.cloudflare.com/queues/',
  },
  {
    what: 'jobCommands',
    reason: 'Nothing can look into a queue of Cloudflare from outside. Dead jobs are in a queue of their own.',
    link: 'https://developers.cloudflare.com/queues/',
  },
  {
    what: 'jobsAtOnce',
    reason:
      'The emulator delivers one batch after another. Deployed, it is max_concurrency, which the export compares.',
    link: 'https://developers.cloudflare.com/queues/configuration/consumer-concurrency/',
  },
  {
    what: 'sharedCache',
    reason: 'Cloudflare keeps answers in its own cache, which runs only there.',
    link: `${docs}/cache/`,
  },
  {
    what: 'compression',
    reason: 'Cloudflare compresses the answers of a Worker, by rules of the zone.',
    link: 'https://developers.cloudflare.com/speed/optimization/content/compression/',
  },
  {
    what: 'shutdown',
    reason: 'Cloudflare starts and stops Workers; its waitUntil lets running tasks finish.',
    link: `${docs}/runtime-apis/context/#waituntil`,
  },
];

const dryRun = ['deploy', '--dry-run', '--outdir'];

const shared = {
  dependencies: {},
  tools: 'tools',
  env: {
    APPKIT_DEAD_JOBS: '/dead-jobs',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
  },
  prepare: [
    ['node', 'read-config.mjs'],
    ['wrangler', ...dryRun, 'worker'],
    ['wrangler', ...dryRun, 'worker-with-options', 'options.mjs'],
  ],
  tool: { command: ['wrangler', '--version'], expected: /4\.164\.0/ },
  ready: /Listening on (http:\/\/\S+)/,
  extras: ['bindings'],
  lacks,
  gaps,
} satisfies Partial<Emulator>;

/** Workerd, run by miniflare with the files that wrangler would upload. */
export const emulators: readonly Emulator[] = [
  {
    ...shared,
    name: 'cloudflare',
    gaps: [...gaps, ...bundledGaps],
    title: 'Cloudflare workerd 1.20261117.1, bundled by wrangler 4.164.0',
    files: ['emulator'],
    command: ['node', 'serve.mjs', 'worker', 'worker.js'],
    commandWithOptions: ['node', 'serve.mjs', 'worker-with-options', 'options.js'],
    attack: { kind: 'function' },
  },
  {
    ...shared,
    name: 'cloudflare-unbundled',
    gaps: [...gaps, ...unbundledGaps],
    title: 'Cloudflare workerd 1.20261117.1, file by file',
    files: ['emulator', 'emulator-unbundled'],
    prepare: [
      ['cp', '-RL', 'node_modules/appkit-server/lib', 'appkit-server'],
      // To the place where the configuration looks for modules.
      ['cp', 'dead-jobs.mjs', 'appkit-server/dead-jobs.js'],
      ...shared.prepare,
    ],
    command: ['node', 'serve.mjs', 'worker', 'worker.mjs'],
    commandWithOptions: ['node', 'serve.mjs', 'worker-with-options', 'options.mjs'],
  },
];
