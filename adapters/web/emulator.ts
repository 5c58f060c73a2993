import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator, Lack } from '../../conformance/emulator.ts';

const serves = 'deno serve';

const lacks: readonly Lack[] = [
  {
    what: 'jobs',
    reason: 'It takes any engine, and the template has none: its host may keep neither a process nor a disk.',
    link: 'guide/jobs.md',
  },
  {
    what: 'trustProxy',
    reason: 'The URL of a request is what the host makes it.',
    link: 'https://min-common-api.proposal.wintertc.org/',
  },
  {
    what: 'shutdown',
    reason: 'The host starts and stops the process, and gives the adapter no server to stop.',
    link: 'https://docs.deno.com/runtime/reference/cli/serve/',
  },
  {
    what: 'compression',
    reason: 'Fetch has nothing to compress with but gzip, without a flush for streams. The host compresses.',
    link: 'https://compression.spec.whatwg.org/',
  },
  {
    what: 'sharedCache',
    reason: 'The host may start a process for each request, so a cache in one of them is none.',
    link: 'https://min-common-api.proposal.wintertc.org/',
  },
];

/**
 * Two hosts that call the `fetch` of a module: one passes native Requests, the other only objects that look like them.
 */
export const emulators: readonly Emulator[] = [
  {
    name: 'web',
    title: 'A module with fetch, in deno serve 2.9.5',
    dependencies: {},
    tools: '../deno/tools',
    files: ['emulator'],
    command: ['deno', 'serve', '-A', '--no-remote', '--host', '127.0.0.1', '--port', '0', 'server.mjs'],
    commandWithOptions: ['deno', 'serve', '-A', '--no-remote', '--host', '127.0.0.1', '--port', '0', 'options.mjs'],
    env: { DENO_NO_UPDATE_CHECK: '1' },
    tool: { command: ['deno', '--version'], expected: /^deno 2\.9\.5/ },
    ready: /Listening on (http:\/\/\S+)/,
    lacks,
    gaps: [
      ...gapsOf(
        `${serves} gives the target of a request as it came.`,
        'https://docs.deno.com/runtime/reference/cli/serve/',
        {
          'keeps the host for an absolute-form target': /expected 'http:\/\/evil\.com/,
          'keeps the scheme for an absolute-form target': /expected 'https:\/\/user:secret@evil\.com/,
        },
      ),
      {
        behaviour: 'answers 400 to HTTP/1.1 without Host',
        fails: /expected 200 to be 400/,
        reason: `${serves} then builds the URL from its own address, and an HTTP/2 request, which has no such header, looks the same.`,
        link: 'https://docs.deno.com/api/deno/~/Deno.serve',
      },
      {
        behaviour: 'sends the status text of the Response',
        fails: /to deeply equal \[ 299, 'Mostly Fine' \]/,
        reason: `${serves} sends the standard phrase of the status, none for a status without one.`,
        link: 'https://github.com/denoland/deno/issues/14822',
      },
      {
        behaviour: 'tells a fetch the address of the client, whatever the client says',
        fails: /expects to receive a string, but got undefined/,
        reason: 'A host gives the address in a way of its own. A module passes it on as clientAddress.',
        link: 'https://min-common-api.proposal.wintertc.org/',
      },
      {
        behaviour: 'tells a route the address of the client, whatever the client says',
        fails: /expects to receive a string, but got object/,
        reason: 'A host gives the address in a way of its own. A module passes it on as clientAddress.',
        link: 'https://min-common-api.proposal.wintertc.org/',
      },
    ],
  },
  {
    name: 'web-srvx',
    title: 'Second opinion: a module with fetch, in srvx 1.0.8 on Node',
    dependencies: { srvx: '1.0.8' },
    template: 'web',
    files: ['emulator-srvx'],
    command: ['node', 'serve.mjs'],
    tool: { command: ['node', '--version'], expected: /^v\d/ },
    ready: /Listening on (http:\/\/\S+)/,
    isSecondOpinion: true,
    lacks,
    gaps: [],
  },
];
