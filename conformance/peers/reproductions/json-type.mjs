/** The server sends Response.json with the media type of the standard (Fetch, Response.json()). */
export const fetch = () => Response.json({});
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Type: application/json';
export const isRight = (received) => /^content-type: application\/json\r$/im.test(received);
