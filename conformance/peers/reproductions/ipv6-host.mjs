/** The server accepts an IPv6 address as host (RFC 3986 section 3.2.2). */
export const fetch = (request) => new Response(request.url);
export const send = 'GET / HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n';
export const expected = 'a body of http://[::1]:8080/';
export const isRight = (received) => received.includes('http://[::1]:8080/');
