import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator, Gap, Lack } from '../../conformance/emulator.ts';
import template from './template.json' with { type: 'json' };

const source = 'https://github.com/GoogleCloudPlatform/functions-framework-nodejs/blob/main/src';
const parsers = `${source}/server.ts`;
const docs = 'https://docs.cloud.google.com';
const headers = `${docs}/functions/docs/reference/headers`;

const gaps: readonly Gap[] = [
  ...gapsOf('The framework parses the body before it calls the function, whatever its type.', parsers, {
    'hands the body on before all of it has arrived': 'time-out',
    'answers while the request is still arriving': 'time-out',
    'holds an upload back while nobody reads it': 'time-out',
    'answers after the route has cancelled the body': 'time-out',
    'rejects the body when the client leaves in the middle of it': 'time-out',
    'answers 413 without waiting for the body': 'time-out',
    'refuses a body over 128 MiB by default': 'time-out',
  }),
  ...gapsOf('The framework answers a body that is not JSON by 400 itself.', parsers, {
    'rejects request.json() with SyntaxError for malformed JSON': /expected 400 to be 422/,
    'answers 400 to a body that is not JSON, and does not repeat it':
      /expected 'text\/html; charset=utf-8' to be 'application\/problem\+json'/,
  }),
  ...gapsOf(
    'Google takes the processor from a function that has answered, so an answer ends after its tasks.',
    `${docs}/run/docs/tips/general#background-activity`,
    {
      'does not delay the response by a task': 'time-out',
      'runs what a fetch gives to waitUntil, and does not wait for it': 'time-out',
    },
  ),
  ...gapsOf('Google sets X-Forwarded-Proto itself, whatever a proxy in front of it has sent.', headers, {
    'takes scheme and host from a trusted proxy': /expected 'http:\/\/shop\.example at/,
    'takes only the scheme when the proxy says no more': /expected 'http:\/\/127/,
    'believes only the last entry of one trusted proxy': /expected 'http:\/\/shop\.example at/,
    'believes the entry that the outermost of two trusted proxies added': /expected 'http:\/\/shop\.example at/,
  }),
  ...gapsOf('The router of the framework decodes the path first, and answers 400 itself.', parsers, {
    'answers 400 to malformed percent-encoding in a path': /\[ '\/params\/%zz', 400, …\(1\) \]/,
    'adds the headers of the config to 400, 404, 405 and 500': /expected \[ '\/%zz', 400, null \]/,
    'passes a path on that names nothing or is malformed': /expected 400 to be 299/,
  }),
];

const lacks: readonly Lack[] = [
  {
    what: 'sharedCache',
    reason: 'Instances come and go, and each has its own memory: Cloud CDN keeps answers.',
    link: `${docs}/cdn/docs/setting-up-cdn-with-serverless`,
  },
  {
    what: 'shutdown',
    reason:
      'Google starts and stops instances, and the framework ends its process at once. Tasks are part of each request.',
    link: 'https://github.com/GoogleCloudPlatform/functions-framework-nodejs/issues/704',
  },
];

// The topics that depend on the framework in front. The rest is that of our Node adapter, which other hosts test.
const ofFramework: readonly string[] = [
  'compression',
  'configured-headers',
  'connections',
  'contracts',
  'cookies',
  'errors',
  'event-streams',
  'file-names',
  'limits',
  'methods',
  'origin',
  'own-fetch',
  'proxies',
  'request-body',
  'request-head',
  'request-target',
  'response-body',
  'response-head',
  'routing',
  'static-files-http',
  'streaming',
  'tasks',
];

const framework = 'node_modules/@google-cloud/functions-framework/build/src/main.js';
const command = ['node', '--import', './front-end.mjs', framework, '--target=app'] as const;

/** The function in Google's own framework, started as Google starts it. */
export const emulators: readonly Emulator[] = [
  {
    name: 'google-cloud-functions',
    title: 'Google Cloud Functions, functions-framework 5.0.5',
    dependencies: template.dependencies,
    // The template as it is for an app without jobs: google-cloud-functions-postgres is asked about those.
    files: ['template', 'emulator'],
    command,
    commandWithOptions: [...command, '--source=options.mjs'],
    // As in env.yaml.
    env: { IGNORED_ROUTES: '' },
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    topics: ofFramework,
    attack: { kind: 'function', hasWholeBodies: true },
    lacks: [
      {
        what: 'jobs',
        reason: 'A function only stores jobs, in PostgreSQL; they run elsewhere.',
        link: 'guide/jobs.md',
      },
      ...lacks,
    ],
    gaps,
  },
  {
    name: 'google-cloud-functions-postgres',
    title: 'Second opinion: Google Cloud Functions that store jobs in PostgreSQL, which a server on Node.js runs',
    template: 'google-cloud-functions',
    dependencies: { ...template.dependencies, 'pg-boss': '12.38.0' },
    files: ['emulator', '../_postgres/emulator'],
    command: ['node', 'serve-with-worker.mjs', ...command],
    env: { IGNORED_ROUTES: '', APPKIT_DATABASES: 'postgres-url' },
    tool: { command: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/postgres'], expected: /postgres/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    topics: ['jobs'],
    lacks,
    gaps: [],
  },
];
