import { gapsOf } from '../../../conformance/emulator.ts';
import type { Emulator } from '../../../conformance/emulator.ts';

const guide = 'guide/development.md';

/** `appkit start`, on the sources of the app. */
export const emulators: readonly Emulator[] = [
  {
    name: 'start',
    title: 'appkit start',
    cli: 'sources',
    dependencies: {},
    files: [],
    command: ['node', 'node_modules/appkit-cli/bin/appkit.js', 'start', '--host', '127.0.0.1', '--port', '0'],
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready: /Ready at (http:\/\/\S+)/,
    lacks: [
      { what: 'shutdown', reason: 'Ctrl-C ends it at once: whoever presses it is waiting.', link: guide },
      { what: 'exportedFiles', reason: 'Nothing is exported: the client has its modules from Vite.', link: guide },
      { what: 'plainErrors', reason: 'The answer says what went wrong.', link: guide },
    ],
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
        'Hosts that are neither local nor named by --host are answered 403, or any website could read answers.',
        guide,
        {
          'takes the host from the Host header': /is not one that this server answers to/,
          'answers 400 to a Host header with a path': /expected 403 to be 400/,
          'answers 400 to a Host header with user information': /expected 403 to be 400/,
          'answers 400 to a Host header that is no host': /403 \]/,
          'answers HTTP/1.0 without Host': /to include 403/,
        },
      ),
      ...gapsOf('Each request renders the page anew, with what has been saved.', guide, {
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
];
