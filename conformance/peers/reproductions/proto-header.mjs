/** The server accepts header names that every object has (RFC 9110 section 5.1). */
export const fetch = (request) => new Response([...request.headers.keys()].join());
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\n__proto__: a\r\nconstructor: b\r\nConnection: close\r\n\r\n';
export const expected = 'a body that names both headers';
export const isRight = (received) => /\r\n\r\n[^]*__proto__/.test(received) && /\r\n\r\n[^]*constructor/.test(received);
