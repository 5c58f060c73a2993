/** The server gives the fields and files of a multipart form (Fetch, Body.formData()). */
export const fetch = async (request) => {
  const form = await request.formData();
  return Response.json([form.getAll('name'), form.get('file').name, form.get('file').type, form.get('file').size]);
};
const field = (value) => `--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n${value}\r\n`;
const body = `${field('first')}${field('second')}--x\r\nContent-Disposition: form-data; name="file"; filename="\u00c3\u00a7a.png"\r\nContent-Type: image/png\r\n\r\n\u0000\u00ff\r\n--x--\r\n`;
export const send = `POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
export const expected = 'a body of [["first","second"],"ça.png","image/png",2]';
export const isRight = (received) => received.includes('[["first","second"],"\u00c3\u00a7a.png","image/png",2]');
