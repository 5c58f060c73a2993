/** Finds the origins that requests were sent to, for one handler. */
export interface OriginFinder {
  /**
   * The origin a request was sent to, such as `https://shop.example`, or `undefined` when its Host header is missing,
   * doubled or malformed; RFC 9112 section 3.2 requires the answer 400.
   *
   * @param header – returns a request header, several field lines joined by a comma.
   * @param scheme – the scheme of the connection itself.
   * @param local – the host and port of the connection itself, for a request that may leave out its Host, as in HTTP/1.0.
   */
  find(header: (name: string) => string | undefined, scheme: Scheme, local?: string): string | undefined;
  /**
   * The origin found last, if it was for this Host header and nothing else matters. Nearly all requests to a server
   * name the same host, and checking it takes longer than the rest of reading a small request.
   */
  last(host: string | undefined): string | undefined;
}

type Scheme = 'http' | 'https';

/** @param proxies – how many proxies in front are trusted; with 0, X-Forwarded headers are ignored. */
export function createOriginFinder(proxies: number): OriginFinder {
  let lastHost: string | undefined;
  let lastClues: string | undefined;
  let lastOrigin: string | undefined;
  return {
    find(header, scheme, local) {
      lastHost = header('host');
      const host = lastHost ?? local ?? '';
      const forwardedScheme = proxies === 0 ? undefined : header('x-forwarded-proto');
      const forwardedHost = proxies === 0 ? undefined : header('x-forwarded-host');
      // No header contains a line break.
      const clues = `${scheme}\n${host}\n${forwardedScheme}\n${forwardedHost}`;
      if (clues !== lastClues) {
        lastClues = clues;
        const outerScheme = fromTrustedProxy(forwardedScheme, proxies);
        const outerHost = fromTrustedProxy(forwardedHost, proxies);
        const origin = `${/^https?$/i.test(outerScheme) ? outerScheme : scheme}://${isHost(outerHost) ? outerHost : host}`;
        lastOrigin = isHost(host) ? new URL(origin).origin : undefined;
      }
      return lastOrigin;
    },
    last: (host) => (proxies === 0 && host === lastHost ? lastOrigin : undefined),
  };
}

// The last entry comes from the nearest proxy, so with n trusted proxies the n-th from the end is the first that we can
// trust. If a proxy replaces the header instead of adding to it, there are fewer entries: then the first is from the
// farthest trusted proxy.
function fromTrustedProxy(value = '', proxies: number): string {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries[Math.max(0, entries.length - proxies)] ?? '';
}

// RFC 3986 section 3.2.2, without the percent-encoded names no browser sends. Userinfo, paths and lists are not hosts, and a part that
// looks like an address or a port must be one.
function isHost(value: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value) && URL.canParse(`http://${value}`);
}
