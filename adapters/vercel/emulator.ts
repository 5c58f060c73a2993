import type { Emulator, Gap, Lack } from '../../conformance/emulator.ts';

const limitations = 'https://vercel.com/docs/functions/limitations#request-body-size';

const gaps: readonly Gap[] = [
  {
    behaviour: 'serves a page without its .html',
    fails: /\[ 404, 'text\/plain' \]/,
    reason:
      'Vercel serves files only by their full names, unless cleanUrls is set, which redirects every path that ends with .html, also of routes.',
    link: 'https://vercel.com/docs/project-configuration#cleanurls',
  },
  ...[
    'hands the body on before all of it has arrived',
    'answers while the request is still arriving',
    'holds an upload back while nobody reads it',
    'answers after the route has cancelled the body',
    'rejects the body when the client leaves in the middle of it',
    'answers 413 without waiting for the body',
  ].map((behaviour) => ({
    behaviour,
    fails: 'time-out' as const,
    reason: 'A function is called after the complete body has arrived: the launcher of @vercel/node buffers it.',
    link: limitations,
  })),
  ...['gives a 10 MB body whole', 'streams a 10 MB body'].map((behaviour) => ({
    behaviour,
    fails: /EPIPE|ECONNRESET|expected 413 to be 200/,
    reason: 'Vercel answers 413 to a body of more than 4.5 MB.',
    link: limitations,
  })),
];

const lacks: readonly Lack[] = [
  {
    what: 'sharedCache',
    reason: 'Vercel keeps answers in its CDN, which runs only there.',
    link: 'https://vercel.com/docs/caching/cdn-cache',
  },
  {
    what: 'compression',
    reason: 'Vercel compresses in its CDN, which runs only there.',
    link: 'https://vercel.com/docs/how-vercel-cdn-works/compression',
  },
  {
    what: 'ownFiles',
    reason: 'Vercel serves the files from its CDN, which runs only there; the emulator stands in for it.',
    link: 'https://vercel.com/docs/caching/cdn-cache',
  },
  {
    what: 'trustProxy',
    reason: 'Vercel itself sets X-Forwarded-Host and -Proto, whatever a proxy in front has sent.',
    link: 'https://vercel.com/docs/headers/request-headers',
  },
  {
    what: 'shutdown',
    reason: 'Vercel starts and stops the processes of a function; its waitUntil lets running tasks finish.',
    link: 'https://vercel.com/docs/functions/functions-api-reference/vercel-functions-package#waituntil',
  },
];

/** What an app with jobs stores in a topic of Vercel Queues. */
const jobLacks: readonly Lack[] = [
  {
    what: 'jobKeys',
    reason: 'Vercel drops the second job with a key for a day, and does not say so: duplicate is always false.',
    link: 'https://vercel.com/docs/queues/sdk',
  },
  {
    what: 'jobCommands',
    reason: 'A topic shows what is in it to nobody but who receives it. Dead jobs are in a topic of their own.',
    link: 'https://vercel.com/docs/queues/concepts',
  },
];

const vercel = {
  dependencies: { '@vercel/queue': '0.6.0' },
  command: ['node', 'host/serve-output.mjs'],
  commandWithOptions: ['node', 'host/serve-output.mjs', 'options.cjs'],
  tools: 'tools',
  prepare: [['node', 'host/build.mjs']],
  env: {
    NO_UPDATE_NOTIFIER: '1',
    VERCEL_TELEMETRY_DISABLED: '1',
    // The suite has installed the dependencies; `vercel build` would ask the registry.
    VERCEL_INSTALL_COMPLETED: '1',
    APPKIT_DEAD_JOBS: '/dead-jobs',
  },
  tool: { command: ['vercel', '--version'], expected: /^64\.0\.2/m },
  ready: /Listening on (http:\/\/\S+)/,
  lacks: [
    ...lacks,
    {
      what: 'jobs',
      reason: '`builds` cannot be used together with `functions`, where the trigger of the jobs stands.',
      link: 'https://vercel.com/docs/project-configuration/vercel-json',
    },
  ],
  extras: ['bodyShapes'],
  gaps,
} satisfies Partial<Emulator>;

/** The output of `vercel build` for the current and the legacy descriptor, run by the launcher of `@vercel/node`. */
export const emulators: readonly Emulator[] = [
  {
    ...vercel,
    name: 'vercel',
    title: 'Vercel, vercel.json with rewrites',
    files: ['emulator', '../_jobs/emulator'],
    lacks: [...lacks, ...jobLacks],
    attack: { kind: 'function', hasWholeBodies: true },
  },
  {
    ...vercel,
    name: 'vercel-legacy',
    title: 'Vercel, vercel.json with builds',
    files: ['emulator', '../_jobs/emulator'],
  },
  {
    ...vercel,
    name: 'vercel-dev',
    title: 'Second opinion: vercel dev --local',
    template: 'vercel',
    isSecondOpinion: true,
    files: ['emulator', 'emulator-dev'],
    prepare: [],
    command: ['node', 'host/dev.mjs'],
    lacks: [
      {
        what: 'jobs',
        reason: '`vercel dev --local` has no queue here. The jobs are asked of the built output.',
        link: 'https://vercel.com/docs/cli/dev',
      },
    ],
    extras: [],
    gaps: [
      {
        behaviour: 'keeps every value of a repeated header',
        fails: /expected '' to be '<\/a>; rel=preload/,
        reason: '`vercel dev` leaves out the Link header of a function; the built output has it.',
        link: 'https://vercel.com/docs/cli/dev',
      },
    ],
  },
];
