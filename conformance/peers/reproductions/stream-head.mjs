/** The server sends the head before the first part of a stream (quality). */
export const fetch = () =>
  new Response(new ReadableStream({ start: () => new Promise(() => {}) }), {
    headers: { 'content-type': 'text/event-stream' },
  });
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n';
export const expected = 'HTTP/1.1 200 at once: the stream has nothing to send yet';
export const isRight = (received) => received.startsWith('HTTP/1.1 200') && received.includes('\r\n\r\n');
