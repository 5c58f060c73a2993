/** The server does not abort the signal of a request that has been read (quality). */
export const fetch = async (request) => {
  await request.text();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return new Response(`aborted: ${request.signal.aborted}`);
};
export const send = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntext';
export const expected = 'a body of "aborted: false": the client still waits';
export const isRight = (received) => received.includes('aborted: false');
