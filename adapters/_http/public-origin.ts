/**
 * The origin a request was sent to, such as `https://shop.example`, or `undefined` when its Host header is missing,
 * doubled or malformed, which RFC 9112 section 3.2 has answered with 400.
 *
 * @param header – gives a request header, several field lines joined by a comma.
 * @param scheme – the scheme of the connection itself.
 * @param options – `proxies`: how many in front are trusted; 0 takes no X-Forwarded header. `local`: the host and port that
 * the connection itself has, for a request that may leave its Host out, as HTTP/1.0 may.
 */
export function toPublicOrigin(
  header: (name: string) => string | undefined,
  scheme: 'http' | 'https',
  { proxies, local }: { proxies: number; local?: string | undefined },
): string | undefined {
  const host = header('host') ?? local;
  if (host === undefined || !isHost(host)) return undefined;
  if (proxies === 0) return `${scheme}://${host}`;

  const forwardedScheme = fromTrustedProxy(header('x-forwarded-proto'), proxies)?.toLowerCase();
  const forwardedHost = fromTrustedProxy(header('x-forwarded-host'), proxies);
  const isScheme = forwardedScheme === 'http' || forwardedScheme === 'https';
  return `${isScheme ? forwardedScheme : scheme}://${forwardedHost && isHost(forwardedHost) ? forwardedHost : host}`;
}

// The last entry is of the nearest proxy, so with n trusted ones the n-th from the end is the first we can believe. A
// proxy that replaces the header instead of adding to it leaves fewer: then the first entry is the farthest trusted one.
function fromTrustedProxy(value: string | undefined, proxies: number): string | undefined {
  if (!value) return undefined;
  const entries = value.split(',').map((entry) => entry.trim());
  return entries[Math.max(0, entries.length - proxies)];
}

// Nearly all requests to a server name one host, and to check it takes longer than all the rest of this.
let lastHost: string | undefined;

// RFC 3986 section 3.2.2, without the percent-encoded names no browser sends. Userinfo, paths and lists are no hosts, and
// what looks like an address or a port must be one.
function isHost(value: string): boolean {
  if (value === lastHost) return true;
  const isValid = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(value) && URL.canParse(`http://${value}`);
  if (isValid) lastHost = value;
  return isValid;
}
