import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator, Lack } from '../../conformance/emulator.ts';

const configuration = 'https://docs.netlify.com/build/functions/configuration';
const streaming = 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html';
const api = 'https://docs.netlify.com/functions/api';

const edge = 'https://docs.netlify.com/build/edge-functions/api/';
const limits = 'https://docs.netlify.com/build/edge-functions/limits/';

const JOBS_ELSEWHERE: Lack = {
  what: 'jobs',
  reason: 'A function only stores jobs, in PostgreSQL; they run elsewhere.',
  link: 'guide/jobs.md',
};

const lacks: readonly Lack[] = [
  {
    what: 'sharedCache',
    reason: 'Netlify keeps answers in its CDN, which runs only there.',
    link: 'https://docs.netlify.com/build/caching/caching-overview/',
  },
  {
    what: 'compression',
    reason: 'Netlify compresses in its CDN, which runs only there.',
    link: 'https://docs.netlify.com/build/caching/caching-overview/',
  },
  {
    what: 'ownFiles',
    reason: 'Netlify serves the files with its own server, which runs only there; the emulator stands in for it.',
    link: 'https://docs.netlify.com/build/caching/caching-overview/',
  },
  {
    what: 'trustProxy',
    reason: 'Netlify itself gives the visited URL; it ignores a proxy in front.',
    link: api,
  },
  {
    what: 'shutdown',
    reason: 'Netlify starts and stops the processes of a function; its waitUntil lets running tasks finish.',
    link: api,
  },
];

// What depends on the Request and Response of Deno, on Netlify's code around the function, and on one module for all routes.
// Without request-body: whether Deno shows the gap "answers while the request is still arriving" depends on how fast the route answers.
const ofEdge: readonly string[] = [
  'bundle',
  'connections',
  'context',
  'cookies',
  'implicit-head',
  'limits',
  'methods',
  'origin',
  'own-fetch',
  'request-head',
  'request-target',
  'response-body',
  'response-head',
  'routing',
  'shared-modules',
  'static-files',
  'static-files-http',
  'streaming',
  'tasks',
];

/** The output of Netlify's bundler for the function, loaded by Netlify's own entry point. */
export const emulators: readonly Emulator[] = [
  {
    name: 'netlify',
    title: 'Netlify Functions',
    dependencies: {},
    // The template as it is for an app without jobs: jobs are tested with netlify-postgres.
    files: ['template', 'emulator'],
    tools: 'tools',
    prepare: [['node', 'host/bundle.mjs']],
    command: ['node', 'host/serve-function.mjs'],
    commandWithOptions: ['node', 'host/serve-function.mjs', 'options'],
    tool: { command: ['zip-it-and-ship-it', '--version'], expected: /^16\.2\.3/m },
    ready: /Listening on (http:\/\/\S+)/,
    lacks: [JOBS_ELSEWHERE, ...lacks],
    gaps: [
      ...gapsOf('A function is called with an event, which holds the whole body.', configuration, {
        'hands the body on before all of it has arrived': 'time-out',
        'answers while the request is still arriving': 'time-out',
        'holds an upload back while nobody reads it': 'time-out',
        'answers after the route has cancelled the body': 'time-out',
        'rejects the body when the client leaves in the middle of it': 'time-out',
        'answers 413 without waiting for the body': 'time-out',
      }),
      ...gapsOf('Netlify takes 6 MB at most, 4.5 MB of bytes.', configuration, {
        'gives a 10 MB body whole': /EPIPE|ECONNRESET|expected 413 to be 200/,
        'streams a 10 MB body': /EPIPE|ECONNRESET|expected 413 to be 200/,
      }),
      ...gapsOf('A function is not told that the client has left.', api, {
        'aborts the signal when the client leaves before the response': 'time-out',
        'tells onError of abort listeners that fail, and goes on': 'time-out',
        'cancels a response that comes after the client has left': 'time-out',
        'cancels the stream and aborts the signal when the client leaves': 'time-out',
        'aborts a signal whose Request has been collected': 'time-out',
      }),
      ...gapsOf(
        'Node keeps the listeners of a signal from which code has made a Request, and only Netlify knows when they can go.',
        'https://github.com/nodejs/undici/issues/3644',
        {
          'forgets answered requests to which a listener of their signal refers': /expected \d+ to be less than 4/,
        },
      ),
      ...gapsOf('AWS Lambda, which runs the function, sends the head with the first part.', streaming, {
        'sends the head before the first part of a stream': 'time-out',
      }),
      ...gapsOf('Netlify takes the status and headers of a Response, not its status text.', api, {
        'sends the status text of the Response': /to deeply equal \[ 299, 'Mostly Fine' \]/,
      }),
      ...gapsOf(
        'The Request that Netlify makes for a function cannot have this method: Netlify answers 500 before the function runs.',
        'https://fetch.spec.whatwg.org/#forbidden-method',
        {
          'answers 405 to TRACE': /expected 500 to be 405/,
        },
      ),
    ],
  },
  {
    name: 'netlify-edge',
    title: 'Netlify Edge Functions, edge-bundler 16.1.1, Deno 2.9.5',
    dependencies: {},
    files: ['emulator', 'emulator-edge'],
    tools: 'tools-edge',
    prepare: [['node', 'host/build.mjs']],
    command: ['node', 'host/serve-edge.mjs'],
    commandWithOptions: ['node', 'host/serve-edge.mjs', 'options'],
    tool: { command: ['deno', '--version'], expected: /^deno 2\.9\.5/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    topics: ofEdge,
    lacks: [
      {
        what: 'jobs',
        reason: 'Edge Functions have no engine for jobs: enqueue() rejects. A Netlify Function stores them.',
        link: 'guide/jobs.md',
      },
      ...lacks,
    ],
    gaps: [
      ...gapsOf(
        'The code that Netlify puts around an edge function removes the Content-Length of every answer.',
        edge,
        {
          'gives HEAD the content-length of GET': /expected \+0 to be \d+/,
          'answers HEAD with the content-length its handler gives': /expected '0' to be '11'/,
          "keeps a route's own content-length on a stream": /expected 'chunked' to be 'content-length'/,
        },
      ),
      ...gapsOf(
        'Deno sends the standard phrase of the status, none for a status without one.',
        'https://github.com/denoland/deno/issues/14822',
        { 'sends the status text of the Response': /to deeply equal \[ 299, 'Mostly Fine' \]/ },
      ),
      ...gapsOf(
        'The Request that Netlify makes for a function cannot have this method: Netlify answers 500 before the function runs.',
        'https://fetch.spec.whatwg.org/#forbidden-method',
        { 'answers 405 to TRACE': /expected 500 to be 405/ },
      ),
      ...gapsOf(
        'Deno 2.9 gives no more of a body whose first part came after the head, once the answer has begun.',
        'https://docs.deno.com/api/deno/~/Deno.serve',
        { 'answers while the request is still arriving': 'time-out' },
      ),
      ...gapsOf('An edge function has no files: all routes are in one module.', limits, {
        'gives a route an import.meta.url that is its own file': /expected 500 to be 200/,
      }),
      ...gapsOf('The bundler of edge functions makes ES modules of all files: these are in strict mode.', edge, {
        'runs other CommonJS modules in sloppy mode': /to match object \{ sloppy: false \}/,
      }),
    ],
  },
  {
    name: 'netlify-postgres',
    title: 'Second opinion: Netlify Functions that store jobs in PostgreSQL, which a server on Node.js runs',
    template: 'netlify',
    dependencies: { 'pg-boss': '12.38.0' },
    files: ['emulator', '../_postgres/emulator'],
    tools: 'tools',
    prepare: [['node', 'host/bundle.mjs']],
    command: ['node', 'serve-with-worker.mjs', 'node', 'host/serve-function.mjs'],
    env: { APPKIT_DATABASES: 'postgres-url' },
    tool: { command: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/postgres'], expected: /postgres/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    topics: ['jobs'],
    lacks,
    gaps: [],
  },
  {
    name: 'netlify-serve',
    title: 'Second opinion: netlify serve',
    dependencies: {},
    template: 'netlify',
    isSecondOpinion: true,
    files: ['template', 'emulator-serve'],
    tools: 'tools-serve',
    // Otherwise it leaves a process behind that reports each start to Netlify.
    env: { CI: '1' },
    command: ['node', 'host/serve.mjs'],
    commandWithOptions: ['node', 'host/serve.mjs'],
    tool: { command: ['netlify', '--version'], expected: /netlify-cli\/27\.10\.2/ },
    ready: /Listening on (http:\/\/\S+)/,
    gaps: [],
  },
];
