#!/usr/bin/env node
// Old versions must be able to parse this file and report that they are too old: it uses nothing newer than Node 12.
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
    // An abandoned behaviour may still wait for its server.
    process.exit(exitCode);
  });
