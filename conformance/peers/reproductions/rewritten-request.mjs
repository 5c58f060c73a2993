/** The server gives a Request that can be rewritten (Fetch, new Request()). */
export const fetch = async (request) => {
  const copy = new Request('http://elsewhere.test/path', request.clone());
  const changed = new Request(request, { headers: { 'x-changed': 'yes' } });
  return Response.json([copy.method, await copy.text(), changed.headers.get('x-changed'), await changed.text()]);
};
export const send = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nConnection: close\r\n\r\nsent';
export const expected = 'a body of ["POST","sent","yes","sent"]';
export const isRight = (received) => received.includes('["POST","sent","yes","sent"]');
