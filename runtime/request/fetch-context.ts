/** The second argument of a `fetch`. It may be copied and wrapped: no member needs `this`. */
export interface FetchContext {
  /** Keeps the host running until the promise settles. Its error goes to `onError`. */
  waitUntil(this: void, promise: Promise<unknown>): void;
  /**
   * The IP address of the client. Behind proxies it is known only with `trustProxy`. `undefined` if the host does not
   * provide it.
   */
  readonly clientAddress: string | undefined;
  /** The id of the request, as `requestId()` returns it. */
  readonly requestId: string;
  /** The environment variables. On Cloudflare, the bindings too. */
  readonly env: Record<string, unknown>;
  /** The host's own arguments: see the guide to other frameworks. `undefined` if the host provides none. */
  readonly platform: unknown;
}
