import type { Emulator } from '../../conformance/emulator.ts';

const node: Omit<Emulator, 'name' | 'title'> = {
  template: 'node',
  dependencies: {},
  files: ['emulator'],
  command: ['node', 'server.mjs'],
  commandWithOptions: ['node', 'options.mjs'],
  tool: { command: ['node', '--version'], expected: /^v\d+/ },
  ready: /Listening on (http:\/\/\S+)/,
  gaps: [],
};

/** A server of `node:http`, with an app that uses the light Request and Response and with one that does not. */
export const emulators: readonly Emulator[] = [
  {
    ...node,
    name: 'node',
    title: 'Node.js, node:http',
    attack: { kind: 'server', isNodeHttp: true, isSoaked: true },
  },
  { ...node, name: 'node-strict', title: 'Node.js, node:http, app exported with strictFetch', strictFetch: true },
];
