/** The server sends no header of a route that is for the connection (quality). */
export const fetch = () => new Response('kept apart', { headers: { 'keep-alive': 'timeout=1234', 'x-kept': 'yes' } });
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
export const expected = 'x-kept: yes, and no Keep-Alive of 1234 seconds';
export const isRight = (received) => /^x-kept: yes/im.test(received) && !received.includes('1234');
