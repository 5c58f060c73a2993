import { Socket } from 'node:net';

/** What calls back after a write. */
type Done = (error?: Error | null) => void;

/**
 * A connection that is read to its end even when a write fails. A host may answer and close before it has read the
 * entire request; Node's own socket destroys itself at the next write, and the answer that has arrived is lost.
 */
export class ReadingSocket extends Socket {
  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    super._write(chunk, encoding, () => done());
  }

  override _writev(chunks: { chunk: unknown; encoding: BufferEncoding }[], done: Done): void {
    super._writev?.(chunks, () => done());
  }
}
