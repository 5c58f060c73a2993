/** Finds the origins that requests were sent to, for one handler. */
export interface OriginFinder {
  /**
   * The origin a request was sent to, such as `https://shop.example`, or `undefined` when its Host header is missing,
   * doubled or malformed, which RFC 9112 section 3.2 has answered with 400.
   *
   * @param header – gives a request header, several field lines joined by a comma.
   * @param scheme – the scheme of the connection itself.
   * @param local – the host and port that the connection itself has, for a request that may leave its Host out, as HTTP/1.0 may.
   */
  find(header: (name: string) => string | undefined, scheme: Scheme, local?: string): string | undefined;
  /**
   * The origin found last, when that was for this Host header and nothing else counts. Nearly all requests to a server name one
   * host, and to check it takes longer than the rest of reading a small request.
   */
  last(host: string | undefined): string | undefined;
}

type Scheme = 'http' | 'https';

/** @param proxies – how many in front are trusted; 0 takes no X-Forwarded header. */
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
      // No header has a line break in it.
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

// The last entry is of the nearest proxy, so with n trusted ones the n-th from the end is the first we can believe. A
// proxy that replaces the header instead of adding to it leaves fewer: then the first entry is the farthest trusted one.
function fromTrustedProxy(value = '', proxies: number): string {
  const entries = value.split(',').map((entry) => entry.trim());
  return entries[Math.max(0, entries.length - proxies)] ?? '';
}

// RFC 3986 section 3.2.2, without the percent-encoded names no browser sends. Userinfo, paths and lists are no hosts, and
// what looks like an address or a port must be one.
function isHost(value: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value) && URL.canParse(`http://${value}`);
}
