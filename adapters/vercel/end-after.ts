import type { TaskSet } from '../../runtime/host.ts';
import type { VercelResponse } from './host-types.ts';

/**
 * Delays the end of a response until no task is running: without a `waitUntil`, the platform freezes a function as soon
 * as its response has ended. All bytes are sent before, so a client that knows how many to expect does not wait.
 */
export function endAfter(tasks: TaskSet, nodeResponse: VercelResponse): void {
  const end = nodeResponse.end.bind(nodeResponse);
  const hold = (chunk: Uint8Array | string = new Uint8Array(), encoding?: BufferEncoding): Promise<void> => {
    nodeResponse.write(chunk, encoding ?? 'utf8');
    // For answers that cannot have a body, where write() does nothing. It would write other heads as UTF-8.
    nodeResponse.flushHeaders();
    return tasks.drain().then(() => void end());
  };
  // Called only by respond.ts, with or without a chunk. At the end of a stream it waits for the promise.
  nodeResponse.end = hold as unknown as VercelResponse['end'];
}
