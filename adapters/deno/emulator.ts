import type { Emulator } from '../../conformance/emulator.ts';

/** The `deno` binary. */
export const emulators: readonly Emulator[] = [
  {
    name: 'deno',
    title: 'Deno 2.9.5',
    dependencies: {},
    tools: 'tools',
    files: ['emulator'],
    command: ['deno', 'run', '-A', '--no-remote', 'server.mjs'],
    commandWithOptions: ['deno', 'run', '-A', '--no-remote', 'options.mjs'],
    env: { DENO_NO_UPDATE_CHECK: '1' },
    tool: { command: ['deno', '--version'], expected: /^deno 2\.9\.5/ },
    ready: /Listening on (http:\/\/\S+)/,
    // Rounds without a leak differ by up to 1.1 MiB, and each further round leaves less on the heap.
    attack: { kind: 'server', heapNoiseBytes: 1536 * 1024 },
    gaps: [
      {
        behaviour: 'answers 400 to HTTP/1.1 without Host',
        fails: /expected 200 to be 400/,
        reason:
          'Deno.serve then builds the URL from its own address, and an HTTP/2 request, which has no such header, looks the same.',
        link: 'https://docs.deno.com/api/deno/~/Deno.serve',
      },
      {
        behaviour: 'sends the status text of the Response',
        fails: /to deeply equal \[ 299, 'Mostly Fine' \]/,
        reason: 'Deno.serve sends the standard phrase of the status, none for a status without one.',
        link: 'https://github.com/denoland/deno/issues/14822',
      },
      {
        behaviour: 'cancels the stream and aborts the signal when the client leaves',
        fails: 'time-out',
        reason:
          'If a failing write shows that the client has left, Deno 2.9 cancels the stream but does not abort the signal. Without the flag no-legacy-abort it would abort the signal, but also after every successful answer.',
        link: 'https://docs.deno.com/runtime/reference/deno_serve_legacy_abort/',
      },
    ],
  },
];
