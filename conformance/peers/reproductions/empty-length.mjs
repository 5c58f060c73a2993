/** The server sends an empty string with length 0 (quality). */
export const fetch = () => new Response('');
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Length: 0';
export const isRight = (received) => /^content-length: 0\r$/im.test(received);
