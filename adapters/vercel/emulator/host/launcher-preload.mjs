// Loaded into the launcher before its own code.
import { tracingChannel } from 'node:diagnostics_channel';
import { giveBodiesAs } from './body-shapes.mjs';

const { APPKIT_BODY_SHAPE } = process.env;
if (APPKIT_BODY_SHAPE !== undefined) giveBodiesAs(APPKIT_BODY_SHAPE);

const { APPKIT_QUEUE_ORIGIN } = process.env;
if (APPKIT_QUEUE_ORIGIN !== undefined) {
  const { SharedSignals } = await import('./shared-signals.mjs');
  const signals = new SharedSignals();
  // The place where the app looks for them.
  globalThis[Symbol.for('conformance.signals')] = signals;
  const { emit } = process;
  // The launcher complains about unknown messages.
  process.emit = function (event, message, ...rest) {
    if (event !== 'message' || !message?.signals) return emit.call(this, event, message, ...rest);
    signals.hear(message.signals);
    return true;
  };
  const { fetch } = globalThis;
  // The queue's client has no environment variable for the queue's address.
  globalThis.fetch = (target, options) => {
    const isOfQueue = typeof target === 'string' && /^https:\/\/\w+\.vercel-queue\.com\//.test(target);
    return fetch(isOfQueue ? target.replace(/^https:\/\/[^/]+/, APPKIT_QUEUE_ORIGIN) : target, options);
  };
}

// Reports the ports on which this process listens to its parent process.
tracingChannel('net.server.listen').subscribe({
  asyncEnd({ server }) {
    process.send({ listening: server.address().port });
  },
});

// Does not outlive it.
process.once('disconnect', () => process.exit());
