import { once } from 'node:events';
import path from 'node:path';
import { deliverAll } from './event-source.mjs';
import { startRuntime } from './runtime.mjs';
import { createSqs } from './sqs.mjs';
import { findMapping, toVariables } from './template.mjs';

/** The variables of every Lambda function, and where it finds SQS. */
const CREDENTIALS = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'of-the-emulator',
};

/**
 * Starts the queues of a template, from which the function for jobs is called.
 *
 * @param Handler – of that function, in place of the template's.
 */
export async function startJobs(folder, { jobs, queues }, { Handler = jobs.Handler, signals }) {
  const sqs = createSqs(queues);
  sqs.server.listen(0, '127.0.0.1');
  await once(sqs.server, 'listening');
  const urlOf = (name) => (sqs.queue(name) ? sqs.urlOf(name) : undefined);
  const variablesOf = (properties) => ({
    ...CREDENTIALS,
    AWS_ENDPOINT_URL_SQS: new URL(sqs.urlOf('')).origin,
    // The SDK of Lambda's Node.js runtimes is in a place where the function's imports do not look.
    NODE_PATH: path.join(process.env.APPKIT_TOOLS, 'node_modules'),
    ...toVariables(properties, urlOf),
  });
  const mapping = findMapping(jobs);
  const dead = sqs.queue(queues[mapping.Queue].RedrivePolicy.deadLetterQueue);
  const start = (onExit) =>
    startRuntime(folder, { ...jobs, Handler }, { variables: variablesOf(jobs), signals, onExit });
  void deliverAll(sqs.queue(mapping.Queue), mapping, createEnvironments(start, jobs.Timeout * 1000));
  return {
    variablesOf,
    /** What the dead-letter queue contains about a job. */
    findDead(id) {
      const letters = dead.list().map(({ body, attributes }) => ({ ...JSON.parse(body), ...attributes }));
      const found = letters.find((letter) => letter.id === id);
      return found ? { id, attempt: Number(found.attempts.StringValue), error: found.error.StringValue } : null;
    },
  };
}

/**
 * Calls a function, in a separate process for each simultaneous event, as Lambda does. A process that ends or takes too
 * long is not used again.
 */
function createEnvironments(start, timeoutMs) {
  const idle = [];
  return async (event) => {
    const environment = idle.pop() ?? (await createEnvironment(start));
    const timer = setTimeout(() => environment.runtime.kill(), timeoutMs);
    try {
      const { kind, request } = await Promise.race([environment.runtime.invoke(event), environment.ended]);
      const text = Buffer.concat(await request.toArray()).toString();
      idle.push(environment);
      if (kind === 'error') throw new Error(text);
      return JSON.parse(text);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function createEnvironment(start) {
  const { promise: ended, reject } = Promise.withResolvers();
  ended.catch(() => {});
  const runtime = await start((code) => reject(new Error(`The runtime ended with ${code}.`)));
  return { runtime, ended };
}
