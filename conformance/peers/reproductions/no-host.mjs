/** The server answers 400 to HTTP/1.1 without Host (RFC 9112 section 3.2). */
export const fetch = (request) => new Response(request.url);
export const send = 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n';
export const expected = 'HTTP/1.1 400';
export const isRight = (received) => received.startsWith('HTTP/1.1 400');
