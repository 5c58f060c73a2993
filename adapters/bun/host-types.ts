/** What this adapter reads of the server that `Bun.serve` passes to `fetch` as the second argument. */
export interface BunServer {
  /** Where it listens. */
  url: URL;
  /** The other end of the connection of a request; `null` when it is closed. */
  requestIP?(request: Request): { address: string } | null;
}

/** What this adapter uses of the global `Bun`. */
export interface BunGlobal {
  /** A value as text for people. */
  inspect(value: unknown): string;
  /** The result of a promise that is settled, otherwise the promise. */
  peek: ((promise: Promise<unknown>) => unknown) & {
    status(promise: Promise<unknown>): 'fulfilled' | 'pending' | 'rejected';
  };
}
