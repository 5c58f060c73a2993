/** The server sends a string with its type and length (quality). */
export const fetch = () => new Response('h\u00e9llo');
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Length: 6';
export const isRight = (received) => /^content-length: 6\r$/im.test(received);
