// Loaded into the launcher before its own code.
import { tracingChannel } from 'node:diagnostics_channel';
import { giveBodiesAs } from './body-shapes.mjs';

const { APPKIT_BODY_SHAPE } = process.env;
if (APPKIT_BODY_SHAPE !== undefined) giveBodiesAs(APPKIT_BODY_SHAPE);

const { APPKIT_QUEUE_ORIGIN } = process.env;
if (APPKIT_QUEUE_ORIGIN !== undefined) {
  const { SharedSignals } = await import('./shared-signals.mjs');
  const signals = new SharedSignals();
  // Where the app looks for them.
  globalThis[Symbol.for('conformance.signals')] = signals;
  const { emit } = process;
  // The launcher complains of what it does not know.
  process.emit = function (event, message, ...rest) {
    if (event !== 'message' || !message?.signals) return emit.call(this, event, message, ...rest);
    signals.hear(message.signals);
    return true;
  };
  const { fetch } = globalThis;
  // The client of the queue has no variable for where the queue is.
  globalThis.fetch = (target, options) => {
    const isOfQueue = typeof target === 'string' && /^https:\/\/\w+\.vercel-queue\.com\//.test(target);
    return fetch(isOfQueue ? target.replace(/^https:\/\/[^/]+/, APPKIT_QUEUE_ORIGIN) : target, options);
  };
}

// Tells the process that started it on which ports it listens.
tracingChannel('net.server.listen').subscribe({
  asyncEnd({ server }) {
    process.send({ listening: server.address().port });
  },
});

// Does not outlive it.
process.once('disconnect', () => process.exit());
