/** The server sends a header value byte for byte (Fetch, isomorphic encode of header values). */
export const fetch = () => {
  const headers = new Headers({ 'x-latin1': 'caf\u00e9' });
  headers.append('link', '</a>; rel=preload');
  return new Response('headers', { headers });
};
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'x-latin1: caf and the one byte E9';
export const isRight = (received) => /^x-latin1: caf\u00e9\r$/im.test(received);
