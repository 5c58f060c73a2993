/** What this adapter reads of the server that `Bun.serve` gives its `fetch` as second argument. */
export interface BunServer {
  /** Where it listens. */
  url: URL;
}
