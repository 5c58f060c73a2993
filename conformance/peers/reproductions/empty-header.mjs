/** The server keeps an empty header value (RFC 9110 section 5.5). */
export const fetch = (request) => new Response(`value: ${request.headers.get('x-empty')}`);
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nX-Empty:\r\nConnection: close\r\n\r\n';
export const expected = 'a body that does not say null';
export const isRight = (received) => received.includes('value: ') && !received.includes('value: null');
