import type { HandlerContext } from './handler-context.ts';

/** What a `fetch` is called with besides the request. */
export class FetchContext {
  /**
   * Keeps the host running until the promise settles. Its error goes to `onError`. It needs no `this`.
   */
  readonly waitUntil: (promise: Promise<unknown>) => void;
  readonly #context: HandlerContext;

  constructor(context: HandlerContext) {
    this.#context = context;
    this.waitUntil = (promise) => context.runTask(() => promise);
  }

  /** The IP address of the client. Behind proxies it is known only with `trustProxy`. `undefined` if the host does not say it. */
  get clientAddress(): string | undefined {
    return this.#context.clientAddress;
  }

  /** The id of the request, as `requestId()` returns it. */
  get requestId(): string {
    return this.#context.requestId();
  }

  /** The environment variables. On Cloudflare, the bindings too. */
  get env(): Record<string, unknown> {
    return this.#context.env;
  }

  /** What the host itself calls its function with: see the README of its adapter. `undefined` if the host gives nothing else. */
  get platform(): unknown {
    return this.#context.platform;
  }
}
