/** The server gives the route a real Request (quality). */
export const fetch = async (request) => {
  const copy = new Request(request.clone());
  return Response.json([request instanceof Request, Object.prototype.toString.call(request), await copy.text()]);
};
export const send = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nConnection: close\r\n\r\nsent';
export const expected = 'a body of [true,"[object Request]","sent"]';
export const isRight = (received) => received.includes('[true,"[object Request]","sent"]');
