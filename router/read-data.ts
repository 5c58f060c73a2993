import { parse } from 'devalue';
import { toServerError } from './given-error.ts';
import type { GivenError } from './given-error.ts';
import type { PartContent } from './write-data.ts';

/** Reads data written by `writeData`. */
export interface DataReader {
  /** The data. A promise in them settles when its part is read. */
  read(text: string): unknown;
  /** Reads a part. */
  readPart(text: string): void;
  /** The ids of the known promises whose parts have not been read. */
  waiting(): number[];
  /** Rejects a promise whose part will not arrive. */
  fail(id: number, error: unknown): void;
}

/**
 * Makes a reader of one text of data and its parts.
 *
 * @param options – `toError` makes the error of a rejected promise. Default: one with the message and the status.
 */
export function createDataReader({
  toError = toServerError,
}: { toError?: (given: GivenError) => unknown } = {}): DataReader {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>();
  const toPromise = (id: number): Promise<unknown> => {
    const promise = new Promise<unknown>((resolve, reject) => void waiting.set(id, { resolve, reject }));
    // A page may never read it.
    promise.catch(() => undefined);
    return promise;
  };
  const read = (text: string): unknown => parse(text, { Promise: toPromise });
  return {
    read,
    readPart(text) {
      const content = read(text) as PartContent;
      const settling = waiting.get(content.id);
      waiting.delete(content.id);
      if ('error' in content) settling?.reject(toError(content.error));
      else settling?.resolve(content.value);
    },
    waiting: () => [...waiting.keys()],
    fail(id, error) {
      waiting.get(id)?.reject(error);
      waiting.delete(id);
    },
  };
}

/** Reads the lines after the first: each settles a promise in the data. */
export async function readParts(reader: DataReader, lines: AsyncIterable<string>): Promise<void> {
  let reason: unknown = new Error('The server ended the response before all of its data arrived.');
  try {
    for await (const line of lines) reader.readPart(line);
  } catch (error) {
    reason = error;
  }
  for (const id of reader.waiting()) reader.fail(id, reason);
}
