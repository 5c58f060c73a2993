/**
 * Whether a link is the redirect URL with something added to its query or fragment: scheme, authority and path must be equal.
 *
 * It is split by hand, because React Native's `URL` refuses or truncates many URLs of apps.
 *
 * @see RFC 3986 section 6.2
 */
export function isSameRedirect(redirectUrl: string, link: string): boolean {
  const [expected, actual] = [splitLink(redirectUrl), splitLink(link)];
  if (expected === null || actual === null) return false;
  return expected.scheme === actual.scheme && expected.authority === actual.authority && expected.path === actual.path;
}

/**
 * A parameter of a link, in its query or its fragment; null also for one that is not UTF-8.
 *
 * React Native's `URLSearchParams` truncates many values, and throws for those. Only states are read here, which are
 * compared: appkit-auth-session reads the values.
 */
export function linkParameter(link: string, name: string): string | null {
  const [, query = '', fragment = ''] = /^[^?#]*\??([^#]*)#?(.*)$/s.exec(link) ?? [];
  const pair = [query, fragment].flatMap((part) => part.split('&')).find((pair) => pair.startsWith(`${name}=`));
  if (pair === undefined) return null;
  try {
    return decodeURIComponent(pair.slice(name.length + 1).replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * The state of an answer, which a signed answer has inside (JARM section 2.1). Nothing is verified: it only tells which
 * session the answer belongs to.
 */
export function answerState(link: string): string | null {
  const response = linkParameter(link, 'response');
  return linkParameter(link, 'state') ?? (response === null ? null : signedState(response));
}

function signedState(token: string): string | null {
  try {
    const [, payload = ''] = token.split('.');
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const text = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
    const { state } = JSON.parse(text) as { state?: unknown };
    return typeof state === 'string' ? state : null;
  } catch {
    return null;
  }
}

/** The parts of a URL that identify its target; null without a scheme. */
export function splitLink(url: string): { scheme: string; authority: string | null; path: string } | null {
  const [, scheme, authority, path = ''] = /^([a-z][a-z\d+.-]*):(?:\/\/([^/?#]*))?([^?#]*)/i.exec(url) ?? [];
  if (scheme === undefined) return null;
  // Without an authority, as in com.example:/callback, an empty path differs from /.
  if (authority === undefined) return { scheme: scheme.toLowerCase(), authority: null, path };
  const host = authority.toLowerCase().replace(defaultPorts[scheme.toLowerCase()] ?? /:$/, '');
  return { scheme: scheme.toLowerCase(), authority: host, path: path === '' ? '/' : path };
}

const defaultPorts: Record<string, RegExp> = { http: /:(?:80)?$/, https: /:(?:443)?$/ };
