/** What this adapter reads of the third argument of a Worker's `fetch`. */
export interface CloudflareContext {
  /** Keeps the Worker running until the promise settles, for as long as the platform allows. */
  waitUntil(promise: Promise<unknown>): void;
  /** The cache in front of the Worker, if enabled. */
  cache?: { purge(what: { tags: string[] }): Promise<{ success: boolean; errors: unknown }> };
}
