// Loaded into the launcher before its own code.
import { tracingChannel } from 'node:diagnostics_channel';
import { giveBodiesAs } from './body-shapes.mjs';

const { APPKIT_BODY_SHAPE } = process.env;
if (APPKIT_BODY_SHAPE !== undefined) giveBodiesAs(APPKIT_BODY_SHAPE);

// Tells the process that started it on which ports it listens.
tracingChannel('net.server.listen').subscribe({
  asyncEnd({ server }) {
    process.send({ listening: server.address().port });
  },
});

// Does not outlive it.
process.once('disconnect', () => process.exit());
