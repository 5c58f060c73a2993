/** The server gives a body that has arrived whole although the client has left (quality). */
const { promise: heard, resolve } = Promise.withResolvers();
export { heard };
export const leavesAfterMs = 300;
export const fetch = async (request) => {
  await new Promise((done) => setTimeout(done, 800));
  resolve(await request.text().catch(String));
  return new Response();
};
export const send = 'PATCH / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\npaid';
export const expected = 'request.text() gives "paid" 500 ms after the client has left';
export const isRight = (received) => received === 'paid';
