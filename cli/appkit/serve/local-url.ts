/** The URL by which this machine reaches a server that listens on a name or address. */
export function toLocalUrl(
  host: string,
  port: number,
  { scheme = 'http' }: { scheme?: 'http' | 'https' } = {},
): string {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}
