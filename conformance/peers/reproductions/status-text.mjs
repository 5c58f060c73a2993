/** The server sends the status text of the Response (quality). */
export const fetch = () => new Response('brewing', { status: 299, statusText: 'Mostly Fine' });
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'HTTP/1.1 299 Mostly Fine';
export const isRight = (received) => received.startsWith('HTTP/1.1 299 Mostly Fine\r\n');
