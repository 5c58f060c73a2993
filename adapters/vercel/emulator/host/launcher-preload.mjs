// Loaded into the launcher before its own code.
import { tracingChannel } from 'node:diagnostics_channel';

// Tells the process that started it on which ports it listens.
tracingChannel('net.server.listen').subscribe({
  asyncEnd({ server }) {
    process.send({ listening: server.address().port });
  },
});

// Does not outlive it.
process.once('disconnect', () => process.exit());
