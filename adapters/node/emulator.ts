import type { Emulator } from '../../conformance/emulator.ts';

/** A server of `node:http`. */
export const emulators: readonly Emulator[] = [
  {
    name: 'node',
    title: 'Node.js, node:http',
    dependencies: { 'serve-static': '2.2.1' },
    files: ['template', 'emulator'],
    command: ['node', 'server.mjs'],
    commandWithOptions: ['node', 'options.mjs'],
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready: /Listening on (http:\/\/\S+)/,
    gaps: [],
  },
];
