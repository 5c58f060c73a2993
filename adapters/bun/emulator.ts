import type { Emulator } from '../../conformance/emulator.ts';

/** The `bun` binary, alone and with Hono. */
export const emulators: readonly Emulator[] = [
  {
    name: 'bun',
    title: 'Bun 1.4.5',
    dependencies: {},
    files: ['emulator'],
    command: ['bun', 'server.mjs'],
    commandWithOptions: ['bun', 'options.mjs'],
    tool: { command: ['bun', '--version'], expected: /^1\.4\.5/ },
    ready: /Listening on (http:\/\/\S+)/,
    // Bun 1.4 closes a connection without an answer if a pipelined request waits behind one whose answer takes longer than its
    // turn of the event loop. Files, which are read meanwhile, and bodies take longer.
    attack: { kind: 'server', isSoaked: true, answeredShare: { sizes: 0.2 } },
    gaps: [
      {
        behaviour: 'answers 400 to two Host headers',
        fails: /expected 200 to be 400/,
        reason:
          'Bun.serve takes the first. Reading the headers of every request would take as long as the rest of a small request.',
        link: 'https://github.com/oven-sh/bun/pull/33717',
      },
      {
        behaviour: 'gives a blob the type of the request',
        fails: /to deeply equal \{ type: 'text\/x-conformance'/,
        reason: 'request.blob() of Bun.serve always has the type text/plain.',
        link: 'https://github.com/oven-sh/bun/issues/32801',
      },
      {
        behaviour: 'invents no content-type for bytes',
        fails: /expected 'application\/octet-stream' to be null/,
        reason: 'Bun.serve sends application/octet-stream.',
        link: 'https://github.com/oven-sh/bun/issues/21193',
      },
      {
        behaviour: 'sends the status text of the Response',
        fails: /to deeply equal \[ 299, 'Mostly Fine' \]/,
        reason: 'Bun.serve sends its own phrase, HM for a status it does not know.',
        link: 'https://github.com/oven-sh/bun/issues/10266',
      },
      {
        behaviour: 'sends the head before the first part of a stream',
        fails: 'time-out',
        reason: 'Bun.serve holds back the end of the head until the stream has its first part.',
        link: 'https://github.com/oven-sh/bun/pull/33660',
      },
      {
        behaviour: 'runs in strict mode what a module in sloppy mode requires, if it asks for it',
        fails: /to match object \{ required: true \}/,
        reason: 'Bun removes "use strict" from functions. At the top of a file it stays.',
        link: 'https://github.com/oven-sh/bun/pull/40838',
      },
    ],
  },
  {
    name: 'bun-hono',
    title: 'Hono 4.13.19 on Bun 1.4.5',
    template: 'bun',
    dependencies: { hono: '4.13.19' },
    files: ['emulator-mounts'],
    command: ['bun', 'hono.mjs'],
    tool: { command: ['bun', '--version'], expected: /^1\.4\.5/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    extras: ['mounted'],
    // The other topics are tested with Bun.serve itself.
    topics: ['mounted', 'routing', 'middleware', 'cookies', 'static-files'],
    gaps: [],
  },
];
