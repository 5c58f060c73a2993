import { PassThrough } from 'node:stream';

/** The later parts of loaders' results, by the id of the request that they belong to. A part may overtake that request. */
export interface Rests {
  /**
   * Gives the parts of a request, as they arrive.
   *
   * @param signal – aborted when the visitor has left: then they end with an error.
   */
  take(id: string, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Adds a part. An empty one says that there are no more.
   *
   * @returns whether anybody may still read it.
   */
  add(id: string, line: string): boolean;
  /** The number of requests whose parts are kept. */
  readonly size: number;
}

/** Puts the parts together. */
export function createRests(): Rests {
  const rests = new Map<string, { lines: PassThrough; isTaken: boolean }>();
  const restOf = (id: string): { lines: PassThrough; isTaken: boolean } => {
    const rest = rests.get(id) ?? { lines: new PassThrough({ objectMode: true }), isTaken: false };
    rests.set(id, rest);
    return rest;
  };
  const forget = (id: string): void => {
    const { lines, isTaken } = restOf(id);
    if (isTaken && lines.writableEnded) rests.delete(id);
  };
  return {
    take(id, signal) {
      const rest = restOf(id);
      rest.isTaken = true;
      forget(id);
      signal.addEventListener('abort', () => rest.lines.destroy());
      return rest.lines;
    },
    add(id, line) {
      const { lines } = restOf(id);
      // Whoever sends the parts stops now, so nothing has to be known of this request any longer.
      if (lines.destroyed) return !rests.delete(id);
      if (line === '') lines.end();
      else lines.write(line);
      forget(id);
      return true;
    },
    get size() {
      return rests.size;
    },
  };
}
