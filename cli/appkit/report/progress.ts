import type { WriteStream } from 'node:tty';

/** A line on the terminal that shows the progress of the work. */
export interface ProgressLine {
  /** Replaces the line. */
  update(progress: { done: number; total: number; file: string }): void;
  /** Takes the line away. */
  erase(): void;
}

const ERASE = '\r\u001B[K';

/** A progress line on a stream, which prints nothing at all when the stream is not a terminal. */
export function createProgressLine(stream: WriteStream): ProgressLine {
  if (!stream.isTTY) return { update() {}, erase() {} };

  return {
    update({ done, total, file }) {
      const line = `Exporting ${done}/${total} ${file}`;
      // A line that wraps cannot be erased again. Some terminals do not know how wide they are, and say 0.
      stream.write(`${ERASE}${line.slice(0, (stream.columns || 80) - 1)}`);
    },
    erase() {
      stream.write(ERASE);
    },
  };
}
