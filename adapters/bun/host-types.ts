/** What this adapter reads of the server that `Bun.serve` passes to `fetch` as the second argument. */
export interface BunServer {
  /** Where it listens. */
  url: URL;
  /** The other end of the connection of a request; `null` when it is closed. */
  requestIP?(request: Request): { address: string } | null;
}
