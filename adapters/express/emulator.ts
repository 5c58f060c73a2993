import type { Emulator } from '../../conformance/emulator.ts';
import template from './template.json' with { type: 'json' };

const express5 = {
  template: 'express',
  dependencies: template.dependencies,
  files: ['emulator'],
  command: ['node', 'server.mjs'],
  commandWithOptions: ['node', 'options.mjs'],
  tool: { command: ['node', '--version'], expected: /^v\d+/ },
  ready: /Listening on (http:\/\/\S+)/,
  gaps: [],
} satisfies Partial<Emulator>;

/** Express 5 and 4, mounted under a path, and behind body parsers. */
export const emulators: readonly Emulator[] = [
  { ...express5, name: 'express', title: 'Express 5.3.0', attack: { kind: 'server', isNodeHttp: true } },
  { ...express5, name: 'express-4', title: 'Express 4.22.3', dependencies: { express: '4.22.3' } },
  {
    ...express5,
    name: 'express-mounted',
    title: 'Express 5.3.0, mounted at /sub',
    command: ['node', 'options.mjs'],
    env: { APPKIT_MOUNT: '/sub' },
    basePath: '/sub',
    lacks: [
      {
        what: 'ownBase',
        reason: 'The app is where Express has mounted it. One with web.base is mounted there, or at the root.',
        link: 'guide/pages.md',
      },
    ],
  },
  {
    ...express5,
    name: 'express-parsers',
    title: 'Express 5.3.0, behind json(), urlencoded(), text() and raw()',
    command: ['node', 'options.mjs'],
    env: { APPKIT_PARSERS: '1' },
    gaps: [
      {
        behaviour: 'gives the exact text of a JSON body',
        fails: /expected '\{"spaced":1,"twice":2\}'/,
        reason: 'express.json() keeps only the parsed value; the text is written again from it.',
        link: 'https://expressjs.com/en/5x/api.html#express.json',
      },
      {
        behaviour: 'rejects request.json() with SyntaxError for malformed JSON',
        fails: /expected 400 to be 422/,
        reason: 'express.json() answers 400 itself, before the route.',
        link: 'https://expressjs.com/en/5x/api.html#express.json',
      },
      {
        behaviour: 'answers 400 to a body that is not JSON, and does not repeat it',
        fails: /expected 'text\/html; charset=utf-8' to be 'application\/problem\+json'/,
        reason: 'express.json() answers 400 itself, before the route.',
        link: 'https://expressjs.com/en/5x/api.html#express.json',
      },
      {
        behaviour: 'gives the exact text of a form body',
        fails: /expected 'a=1&a=2&b=x\+y\+z&empty='/,
        reason: 'express.urlencoded() keeps only the parsed fields; the text is written again from them.',
        link: 'https://expressjs.com/en/5x/api.html#express.urlencoded',
      },
    ],
  },
];
