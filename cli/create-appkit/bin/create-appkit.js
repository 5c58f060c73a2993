#!/usr/bin/env node
// The same command as `appkit init`, which also says which Node it needs.
process.argv.splice(2, 0, 'init');
import('appkit-cli/bin/appkit.js');
