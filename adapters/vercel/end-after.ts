import type { TaskSet } from '../../runtime/host.ts';
import type { VercelResponse } from './host-types.ts';

/**
 * Delays the end of a response until no task is running: without a `waitUntil`, the platform freezes a function as soon
 * as its response has ended. All bytes are sent before, so a client that knows how many to expect does not wait.
 */
export function endAfter(tasks: TaskSet, nodeResponse: VercelResponse): void {
  const end = nodeResponse.end.bind(nodeResponse);
  const hold = (chunk?: Uint8Array | string, encoding: BufferEncoding = 'utf8'): VercelResponse => {
    if (chunk === undefined) nodeResponse.flushHeaders();
    else nodeResponse.write(chunk, encoding);
    void tasks.drain().then(() => end());
    return nodeResponse;
  };
  // Called only by respond.ts, with or without a chunk.
  nodeResponse.end = hold as VercelResponse['end'];
}
