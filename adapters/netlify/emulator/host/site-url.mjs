/**
 * The requested URL, and its path. The network in front finds the site by its Host header, so a function never sees an
 * invalid one.
 */
export function toUrl({ url, headersDistinct }) {
  const [host, second] = headersDistinct.host ?? [];
  const isHost = second === undefined && /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host);
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '');
  const text = `http://${host}${target}`;
  return isHost && target.startsWith('/') && URL.canParse(text)
    ? { text, target, path: new URL(text).pathname }
    : undefined;
}
