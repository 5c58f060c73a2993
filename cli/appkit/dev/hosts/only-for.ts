import { isAllowedHost } from '../host-check.ts';

/** Answers a request of a host. */
export type Handler = (request: Request, server?: unknown) => Response | Promise<Response>;

/**
 * Refuses requests whose Host header `appkit start` would refuse: a page of another site can find the port of a host, too.
 *
 * @param host – the name or address that `appkit start` listens on.
 */
export function onlyFor(host: string, handler: Handler): Handler {
  return (request, server) =>
    isAllowedHost(request.headers.get('host') ?? undefined, host)
      ? handler(request, server)
      : new Response('Open the URL that appkit start has printed.\n', { status: 403 });
}
