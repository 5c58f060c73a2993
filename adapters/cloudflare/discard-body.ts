/** How much of a body nobody wants is taken from a client, in bytes. */
const DISCARD_LIMIT = 16 * 1024 * 1024;

/**
 * Reads the body of an answered request to its end, if no route has touched it; `undefined` when there is nothing to read.
 *
 * Workerd closes the connection of a request whose body was left unread, and its answer does not say so: the next request that
 * a client sends there is lost. A deployed Worker has the network of Cloudflare in front; `wrangler dev` reads it as well.
 */
export function discardBody({ body, headers }: Request): Promise<void> | undefined {
  // A body of unknown length is locked by the stream that counts it.
  if (body === null || body.locked || Number(headers.get('content-length')) > DISCARD_LIMIT) return undefined;
  // A client that leaves meanwhile has no connection to keep.
  return body.pipeTo(new WritableStream()).catch(() => undefined);
}
