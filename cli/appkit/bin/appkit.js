#!/usr/bin/env node
// Old versions must be able to parse this file to report that they are old, so it uses only the syntax of Node 12.
const REQUIRED = [22, 12];

const version = process.versions.node;
const parts = version.split('.').map(Number);
if (parts[0] < REQUIRED[0] || (parts[0] === REQUIRED[0] && parts[1] < REQUIRED[1])) {
  console.error(
    'error: appkit needs Node ' +
      REQUIRED.join('.') +
      ' or later, this is ' +
      version +
      '. Install a newer one from https://nodejs.org.',
  );
  process.exit(1);
}

import('module')
  .then((module) => {
    // Keeps the compiled code of a command and of what it loads, such as the bundler, for the next one.
    module.enableCompileCache();
    return import('../lib/main.js');
  })
  .then((cli) => cli.main(process.argv.slice(2)))
  .then((exitCode) => {
    // A served app's timers and connections must not keep the process running, and its output must be flushed first.
    process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
  });
