const { MCP_HOSTS = 'localhost,127.0.0.1,[::1]' } = process.env;
const allowed = new Set(MCP_HOSTS.split(','));

/**
 * Whether a request names one of our hosts, and does not come from another site's page. Otherwise any website could
 * reach a server on its visitor's machine, through a name that resolves to 127.0.0.1 (DNS rebinding).
 */
export function allowsRequest({ url, headers }: Request): boolean {
  const origin = headers.get('origin');
  return allowed.has(new URL(url).hostname) && (origin === null || allowed.has(URL.parse(origin)?.hostname ?? ''));
}
