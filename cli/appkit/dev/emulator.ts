import { gapsOf } from '../../../conformance/emulator.ts';
import type { Emulator, Lack } from '../../../conformance/emulator.ts';

const guide = 'guide/development.md';

/** `appkit start` with the routes in the runtime of a host. */
function startIn(
  host: string,
  { title, tool, gaps = [], ...rest }: Pick<Emulator, 'title' | 'tool'> & Partial<Emulator>,
): Emulator {
  const [node, ...args] = command;
  return {
    name: `start-${host}`,
    title,
    cli: 'sources',
    dependencies: {},
    files: [],
    command: [node, ...args, '--host', host],
    tool,
    ready,
    isSecondOpinion: true,
    topics: TOPICS,
    lacks,
    gaps: [
      ...gaps,
      ...gapsOf(RENDERED_AGAIN, guide, {
        'adds the headers of the config to HEAD, the data and the 304 of a page': /to deeply equal \[ 304/,
      }),
    ],
    ...rest,
  };
}

const RENDERED_AGAIN = 'Each request renders the page again, from the saved files.';

/** The topics that depend on how requests reach the host. The adapters of these hosts run the whole suite. */
const TOPICS = [
  'base',
  'caching',
  'configured-headers',
  'cookies',
  'folder-middleware',
  'headers-helper',
  'limits',
  'methods',
  'middleware',
  'own-routes',
  'page-actions',
  'page-errors',
  'page-loaders',
  'params',
  'request-body',
  'redirects',
  'rewrites',
  'routing',
  'shared-modules',
  'status-error',
];

/** Bun and Deno run jobs in the process of the host. */
const WITH_JOBS = [...TOPICS, 'jobs'];

const ready = /Ready at (http:\/\/[^\s/]+)/;
const command = [
  'node',
  'node_modules/appkit-cli/bin/appkit.js',
  'start',
  '--host',
  '127.0.0.1',
  '--port',
  '0',
] as const;
const lacks: readonly Lack[] = [
  { what: 'shutdown', reason: 'Ctrl-C ends it at once: whoever presses it is waiting.', link: guide },
  { what: 'exportedFiles', reason: 'Nothing is exported: the client has its modules from Vite.', link: guide },
  { what: 'sharedCache', reason: 'Each request is answered with what was last saved.', link: guide },
  { what: 'ownFetch', reason: 'Another framework has a development server of its own.', link: guide },
  { what: 'plainErrors', reason: 'The answer says what went wrong.', link: guide },
];

/** `appkit start`, on the sources of the app. */
export const emulators: readonly Emulator[] = [
  {
    name: 'start',
    title: 'appkit start',
    cli: 'sources',
    dependencies: {},
    files: [],
    command,
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready,
    lacks,
    gaps: [
      ...gapsOf('environment() is development, and NODE_ENV too, unless it is set.', guide, {
        'gives null where nothing names the environment': /expected 'development' to be null/,
        'gives routes no variable that is not set': /to match object/,
        'keeps origin() and environment() in a deferred task': /to match object/,
      }),
      ...gapsOf('It reads .env files, as Vite does, and says so.', guide, {
        'loads no .env file': /to match object \{ fromFile: null \}/,
      }),
      ...gapsOf(
        'Requests for hosts that are neither local nor named by --host are answered with 403, otherwise any website could read answers.',
        guide,
        {
          'takes the host from the Host header': /is not one that this server answers to/,
          'answers 400 to a Host header with a path': /expected 403 to be 400/,
          'answers 400 to its own host with a path behind it': /expected 403 to be 400/,
          'answers 400 to a Host header with user information': /expected 403 to be 400/,
          'answers 400 to a Host header that is no host': /403 \]/,
          'answers 400 to a Host header with a comma': /expected 403 to be 400/,
          'answers HTTP/1.0 without Host': /to include 403/,
        },
      ),
      ...gapsOf(RENDERED_AGAIN, guide, {
        'gives a prerendered page an ETag and has it asked for again': /expects to receive a string/,
        'answers 304 to a client that has a prerendered page': /to deeply equal \[ 304/,
        'renders what generateStaticParams lists beforehand, and the rest on request': /expected null not to be null/,
        'adds the headers of the config to HEAD, the data and the 304 of a page': /to deeply equal \[ 304/,
        'lets no shared cache keep a page that is rendered for a request': /'no-store'/,
      }),
      ...gapsOf('A file of public may change at any time, so its ETag is weak.', guide, {
        'answers 412 when If-Match names another file': /expected 412 to be 200/,
        'sends a part only of the file that If-Range names': /expected 200 to be 206/,
      }),
      ...gapsOf('The sources are run, not their bundles.', guide, {
        'gives a route an import.meta.url that is its own file': /own-file\+api\.ts/,
      }),
    ],
  },
  startIn('bun', {
    title: 'Second opinion: appkit start --host bun',
    tool: { command: ['bun', '--version'], expected: /^1\./ },
    topics: WITH_JOBS,
    gaps: [
      ...gapsOf(
        'request.blob() of Bun.serve has the type text/plain, whatever was sent.',
        'https://github.com/oven-sh/bun/issues/32801',
        { 'gives a blob the type of the request': /to deeply equal \{ type: 'text\/x-conformance'/ },
      ),
      ...gapsOf(
        'Bun removes "use strict" from functions. At the top of a file it stays.',
        'https://github.com/oven-sh/bun/pull/40838',
        { 'runs in strict mode what a module in sloppy mode requires, if it asks for it': /\{ required: true \}/ },
      ),
    ],
  }),
  startIn('deno', {
    title: 'Second opinion: appkit start --host deno',
    tools: '../../../adapters/deno/tools',
    env: { DENO_NO_UPDATE_CHECK: '1' },
    tool: { command: ['deno', '--version'], expected: /^deno 2\./ },
    topics: WITH_JOBS,
  }),
  startIn('cloudflare', {
    title: 'Second opinion: appkit start --host cloudflare',
    tools: '../../../adapters/cloudflare/tools',
    files: ['emulator-cloudflare'],
    env: { CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_WRITE_LOGS: 'false', WRANGLER_SEND_METRICS: 'false' },
    tool: { command: ['wrangler', '--version'], expected: /4\./ },
    topics: [...TOPICS, 'bindings'],
    extras: ['bindings'],
    gaps: [
      ...gapsOf(
        'workerd keeps the failure of a module for as long as the isolate lives.',
        'https://github.com/cloudflare/workerd/blob/main/src/workerd/jsg/modules.c++',
        {
          'runs a shared module that threw again for the next request': /lib\/shared\/attempts\.ts/,
          'keeps the state of what a module that threw has imported': /lib\/shared\/attempts\.ts/,
          'never gives out half of a CommonJS module that threw': /lib\/shared\/attempts\.ts/,
        },
      ),
      ...gapsOf(
        'workerd can make no URL of it, and answers 500 before a Worker runs.',
        'https://github.com/capnproto/capnproto/blob/v2/c++/src/kj/compat/url.c++',
        { 'survives OPTIONS *': /expected 500 to be less than 500/ },
      ),
      ...gapsOf(
        'wrangler dev takes the scheme of the URL from X-Forwarded-Proto, whoever has sent it. Cloudflare itself does not.',
        'https://github.com/cloudflare/workers-sdk/issues/13801',
        { 'does not take https from a client for a cookie': /\[ 'https:'/ },
      ),
    ],
  }),
];
