import { gapsOf } from '../../conformance/emulator.ts';
import type { Emulator } from '../../conformance/emulator.ts';

const configuration = 'https://docs.netlify.com/build/functions/configuration';
const streaming = 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html';
const api = 'https://docs.netlify.com/functions/api';

/** The output of Netlify's bundler for the function, loaded by Netlify's own entry point. */
export const emulators: readonly Emulator[] = [
  {
    name: 'netlify',
    title: 'Netlify Functions',
    dependencies: {},
    files: ['emulator'],
    tools: 'tools',
    prepare: [['node', 'host/bundle.mjs']],
    command: ['node', 'host/serve-function.mjs'],
    commandWithOptions: ['node', 'host/serve-function.mjs', 'options'],
    tool: { command: ['zip-it-and-ship-it', '--version'], expected: /^16\.2\.3/m },
    ready: /Listening on (http:\/\/\S+)/,
    lacks: [
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
    ],
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
    name: 'netlify-serve',
    title: 'Second opinion: netlify serve',
    dependencies: {},
    template: 'netlify',
    isSecondOpinion: true,
    files: ['emulator-serve'],
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
