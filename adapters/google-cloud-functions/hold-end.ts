import { createTaskSet } from '../../runtime/host.ts';
import type { TaskSet } from '../../runtime/host.ts';
import type { FunctionsResponse } from './host-types.ts';

/**
 * Returns the `waitUntil` of a response, which ends only after all promises passed to it. A function loses its processor
 * once its response has ended.
 *
 * An answer in memory is sent only then, since sending all of its bytes would end it. A stream is sent before, except for
 * its end.
 */
export function holdEnd(nodeResponse: FunctionsResponse): TaskSet['waitUntil'] {
  let tasks: TaskSet | undefined;
  return (task) => {
    tasks ??= holdUntilDrained(nodeResponse);
    tasks.waitUntil(task);
  };
}

function holdUntilDrained(nodeResponse: FunctionsResponse): TaskSet {
  const tasks = createTaskSet();
  const end = nodeResponse.end.bind(nodeResponse);
  const hold = (chunk?: Uint8Array | string, encoding: BufferEncoding = 'utf8'): FunctionsResponse => {
    void tasks.drain().then(() => end(chunk, encoding));
    return nodeResponse;
  };
  // Called only by respond.ts, with or without a chunk.
  nodeResponse.end = hold as FunctionsResponse['end'];
  return tasks;
}
