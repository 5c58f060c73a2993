/** The server sends JSON with its length (quality). */
export const fetch = () => Response.json({});
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Length: 2';
export const isRight = (received) => /^content-length: 2\r$/im.test(received);
