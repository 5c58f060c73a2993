import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const PATH =
  /^\/2018-06-01\/runtime\/(?:invocation\/(?<id>[\w-]+)\/(?<kind>response|error)|(?<next>invocation\/next)|init\/error)$/;

/**
 * Lambda's Runtime API, by which a runtime receives events and returns answers:
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 *
 * @param timeout – the function's time-out, in seconds.
 * @param needRuntime – called when an event arrives while every runtime is busy.
 */
export function createRuntimeApi(timeout, needRuntime) {
  const waiting = [];
  const queue = [];
  const invocations = new Map();

  const handOut = () => {
    while (waiting.length > 0 && queue.length > 0) {
      const { id, event } = queue.shift();
      const headers = {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': id,
        'lambda-runtime-deadline-ms': Date.now() + timeout * 1000,
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:eu-central-1:123456789012:function:Server',
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000',
      };
      waiting.shift().writeHead(200, headers).end(JSON.stringify(event));
    }
  };

  const server = createServer((request, response) => {
    const { id, kind, next } = PATH.exec(request.url)?.groups ?? {};
    if (next !== undefined) {
      waiting.push(response);
      handOut();
      return;
    }
    request.on('end', () => response.writeHead(202).end());
    const resolve = invocations.get(id);
    invocations.delete(id);
    if (resolve === undefined) request.resume();
    else resolve({ kind, request, isStream: request.headers['lambda-runtime-function-response-mode'] === 'streaming' });
  });
  // An event may take long to arrive, and an answer long to end.
  Object.assign(server, { requestTimeout: 0, keepAliveTimeout: 0 });

  return {
    server,
    /** How many runtimes are waiting for an event. */
    idle: () => waiting.length,
    /** Resolves with the request by which a runtime answers the event or reports that it has failed. */
    invoke(event) {
      const id = randomUUID();
      return new Promise((resolve) => {
        invocations.set(id, resolve);
        queue.push({ id, event });
        if (queue.length > waiting.length) needRuntime();
        handOut();
      });
    },
  };
}
