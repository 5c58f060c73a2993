#!/usr/bin/env node
// Old versions must be able to read this file to be told that they are old: nothing newer than Node 12 knows.
const REQUIRED = [22, 12];

const version = process.versions.node;
const parts = version.split('.').map(Number);
if (parts[0] < REQUIRED[0] || (parts[0] === REQUIRED[0] && parts[1] < REQUIRED[1])) {
  console.error(
    'error: appkit-conformance needs Node ' +
      REQUIRED.join('.') +
      ' or later, this is ' +
      version +
      '. Install a newer one from https://nodejs.org.',
  );
  process.exit(1);
}

import('../lib/tool/command.js')
  .then((command) => command.runCommand(process.argv.slice(2)))
  .then((exitCode) => {
    // A behaviour that was given up may still wait for its server.
    process.exit(exitCode);
  });
