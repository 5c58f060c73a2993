import { once } from 'node:events';
import { createQueues, deliverAll } from './queue.mjs';
import { createSignals } from './signals.mjs';

/** Not signed: the emulator accepts only this token. It is valid until 2100. */
const TOKEN = ['{"alg":"none"}', '{"exp":4102444800}', 'of the emulator']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/** Starts the queues of a project. */
export async function startJobs() {
  const queues = createQueues(TOKEN);
  queues.server.listen(0, '127.0.0.1');
  await once(queues.server, 'listening');
  return {
    signals: createSignals(),
    /** The variables of every function on Vercel, and where it finds the queues. */
    variables: {
      VERCEL_OIDC_TOKEN: TOKEN,
      VERCEL_DEPLOYMENT_ID: 'dpl_of_the_emulator',
      VERCEL_REGION: 'iad1',
      APPKIT_QUEUE_ORIGIN: `http://127.0.0.1:${queues.server.address().port}`,
    },
    deliver(trigger, to) {
      void deliverAll(queues.topic(trigger.topic), trigger, to);
    },
    /** What the topic of dead jobs contains about a job. */
    findDead(id) {
      const letters = queues.topic('appkit-jobs-dead').list();
      const found = letters.find(({ body }) => body.id === id)?.body;
      return found ? { id, attempt: found.dead.attempts, error: found.dead.error } : null;
    },
  };
}
