// Loaded into the process of the runtime before AWS's runtime interface client.
import { registerHooks } from 'node:module';

// The client's own half in C++ has to be compiled by whoever installs it.
const native = new URL('rapid-client.cjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: native, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});

// The client starts when it is imported.
let clients = 1;
process.on('message', () => {
  clients += 1;
  import(`${process.argv[1]}?${clients}`);
});

// Lambda ends no process that is at work.
process.on('SIGTERM', () => {});
process.once('disconnect', () => process.exit());
