/** The part of appkit-server's RequestContext that the router uses. */
export interface AnsweringContext {
  readonly request: Request;
  /** Where the app is mounted. */
  readonly basePath: string;
  /** The nonce in the response's Content-Security-Policy, if it has one. */
  readonly usedNonce?: string | undefined;
  /** Makes the app answer a request as if it had arrived. */
  dispatch(request: Request): Promise<Response>;
  /** The same request for another URL. Absent in releases of appkit-server without cache(). */
  withUrl?(request: Request, url: string): Request;
  /** Adds to the headers of the visitor's response. Throws once that has been sent. */
  setResponseHeaders(headers: Record<string, string[]>): void;
}

/** The context of the request that is being answered. `undefined` in a browser, and on a server outside a request. */
export function answeringContext(): AnsweringContext | undefined {
  const key = Symbol.for('appkit.requestContext');
  return (globalThis as { [key]?: { getStore(): AnsweringContext | undefined } })[key]?.getStore();
}
