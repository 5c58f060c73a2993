// Loaded into the process of the runtime before AWS's runtime interface client.
import { registerHooks } from 'node:module';
import { SharedSignals } from './shared-signals.mjs';

// The client's own C++ half would have to be compiled at installation.
const native = new URL('rapid-client.cjs', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === './rapid-client.node'
      ? { url: native, format: 'commonjs', shortCircuit: true }
      : next(specifier, context),
});

// The place where the app looks for them. A function without jobs does not share them.
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

// Lambda does not end a process that is busy.
process.on('SIGTERM', () => {});
process.once('disconnect', () => process.exit());
