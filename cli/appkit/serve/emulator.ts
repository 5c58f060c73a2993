import type { Emulator } from '../../../conformance/emulator.ts';

/** `appkit serve`, on the export of the app. */
export const emulators: readonly Emulator[] = [
  {
    name: 'serve',
    title: 'appkit serve',
    cli: 'export',
    dependencies: {},
    files: [],
    command: ['node', 'node_modules/appkit-cli/bin/appkit.js', 'serve', '--host', '127.0.0.1', '--port', '0'],
    tool: { command: ['node', '--version'], expected: /^v\d+/ },
    ready: /Serving .* at (http:\/\/[^\s/]+)/,
    gaps: [
      {
        behaviour: 'gives routes no variable that is not set',
        fails: /"mode": "production"|to match object/,
        reason: 'NODE_ENV is production where it is not set, so that packages behave as on a host.',
        link: 'guide/export.md',
      },
    ],
  },
];
