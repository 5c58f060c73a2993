import type { Emulator } from '../../conformance/emulator.ts';
import template from './template.json' with { type: 'json' };

/** A server of `node:http`. */
export const emulators: readonly Emulator[] = [
  {
    name: 'node',
    title: 'Node.js, node:http',
    dependencies: template.dependencies,
    files: ['emulator'],
    command: ['node', 'server.mjs'],
    commandWithOptions: ['node', 'options.mjs'],
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready: /Listening on (http:\/\/\S+)/,
    gaps: [],
  },
];
