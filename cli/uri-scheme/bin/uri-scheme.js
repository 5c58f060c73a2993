#!/usr/bin/env node
// Old versions must be able to parse this file to report that they are old, so it uses only the syntax of Node 12.
const REQUIRED = [20, 19];

const version = process.versions.node;
const parts = version.split('.').map(Number);
if (parts[0] < REQUIRED[0] || (parts[0] === REQUIRED[0] && parts[1] < REQUIRED[1])) {
  console.error(
    'error: uri-scheme needs Node ' +
      REQUIRED.join('.') +
      ' or later, this is ' +
      version +
      '. Install a newer one from https://nodejs.org.',
  );
  process.exit(1);
}

import('../lib/command.js')
  .then((command) => command.runCommand(process.argv.slice(2)))
  .then((exitCode) => {
    process.exitCode = exitCode;
  });
