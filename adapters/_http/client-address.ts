/**
 * The IP address of a client, or `undefined` if it is not known.
 *
 * @param own – the address at the other end of the connection.
 * @param forwarded – the header X-Forwarded-For.
 * @param proxies – how many proxies in front are trusted; with 0, the header is ignored.
 */
export function toClientAddress(
  own: string | undefined,
  forwarded: string | undefined,
  proxies: number,
): string | undefined {
  const entries = proxies === 0 || forwarded === undefined ? [] : forwarded.split(',').map((entry) => entry.trim());
  // Each proxy adds the address of its caller. If a proxy replaces the header instead, the first entry is from the
  // farthest trusted proxy.
  const address = entries.length === 0 ? own : entries[Math.max(0, entries.length - proxies)];
  return address === undefined ? undefined : toPlainAddress(address);
}

/**
 * The same for a platform that itself adds its caller to X-Forwarded-For.
 *
 * @param own – the address that called the platform.
 */
export function toClientAddressAtEdge(
  own: string | undefined,
  forwarded: string | undefined,
  proxies: number,
): string | undefined {
  const entries = forwarded?.split(',').map((entry) => entry.trim()) ?? [];
  if (entries.at(-1) === own) entries.pop();
  return toClientAddress(own, entries.length === 0 ? undefined : entries.join(), proxies);
}

// A socket for both versions of IP writes 127.0.0.1 as ::ffff:127.0.0.1. Some proxies add the port, and write an IPv6 address with
// one in brackets.
function toPlainAddress(address: string): string | undefined {
  const [, v4] = /^(?:::ffff:)?(\d+(?:\.\d+){3})(?::\d+)?$/i.exec(address) ?? [];
  if (v4 !== undefined) return URL.canParse(`http://${v4}`) ? v4 : undefined;
  const [, v6 = address] = /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address) ?? [];
  return /^[\da-f.]*:[\da-f:.]*$/i.test(v6) && URL.canParse(`http://[${v6}]`) ? v6 : undefined;
}
