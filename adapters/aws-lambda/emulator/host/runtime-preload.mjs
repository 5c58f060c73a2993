// Loaded into the process of the runtime before AWS's runtime interface client.
import { registerHooks } from 'node:module';
import { SharedSignals } from './shared-signals.mjs';

// The client's own half in C++ has to be compiled by whoever installs it.
const native = new URL('rapid-client.cjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: native, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});

// Where the app looks for them. A function without jobs has them for itself.
const key = Symbol.for('conformance.signals');
if (process.env.APPKIT_JOBS_QUEUE_URL !== undefined) globalThis[key] = new SharedSignals();

// The client starts when it is imported.
let clients = 1;
process.on('message', ({ signals }) => {
  if (signals !== undefined) {
    globalThis[key]?.hear?.(signals);
    return;
  }
  clients += 1;
  import(`${process.argv[1]}?${clients}`);
});

// Lambda ends no process that is at work.
process.on('SIGTERM', () => {});
process.once('disconnect', () => process.exit());
