/** The server invents no content-type for bytes (quality). */
export const fetch = () => new Response(new Uint8Array([1, 2, 3]));
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'no Content-Type';
export const isRight = (received) => received !== '' && !/^content-type:/im.test(received);
