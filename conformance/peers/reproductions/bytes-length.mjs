/** The server sends bytes as they are, with their length (quality). */
export const fetch = () => new Response(new Uint8Array([1, 2, 3]));
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Length: 3';
export const isRight = (received) => /^content-length: 3\r$/im.test(received);
