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
  const hold = async (chunk?: Uint8Array | string, encoding: BufferEncoding = 'utf8'): Promise<void> => {
    await tasks.drain();
    end(chunk, encoding);
  };
  // Called only by respond.ts, with or without a chunk. Without one it waits for the promise.
  nodeResponse.end = hold as unknown as FunctionsResponse['end'];
  return tasks;
}
