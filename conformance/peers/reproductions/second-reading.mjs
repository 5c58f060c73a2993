/** The server refuses to read a body twice (Fetch, consume body). */
export const fetch = async (request) => {
  await request.text();
  const second = request.text().then(
    (text) => `read again: ${text}`,
    (error) => error.name,
  );
  return new Response(await second);
};
export const send = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nConnection: close\r\n\r\nonce';
export const expected = 'a body of TypeError';
export const isRight = (received) => received.includes('TypeError');
