import { parse } from 'devalue';
import { toServerError } from './given-error.ts';
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

/** Makes a reader of one text of data and its parts. */
export function createDataReader(): DataReader {
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
      if ('error' in content) settling?.reject(toServerError(content.error));
      else settling?.resolve(content.value);
    },
    waiting: () => [...waiting.keys()],
    fail(id, error) {
      waiting.get(id)?.reject(error);
      waiting.delete(id);
    },
  };
}
