/** The server answers HTTP/1.0 without Host (quality). */
export const fetch = (request) => new Response(new URL(request.url).pathname);
export const send = 'GET / HTTP/1.0\r\n\r\n';
export const expected = '200, or 400';
export const isRight = (received) => /^HTTP\/1\.[01] (?:200|400)/.test(received);
