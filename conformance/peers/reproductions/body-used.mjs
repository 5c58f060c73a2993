/** The server gives a text body (Fetch, Body.text()). */
export const fetch = async (request) => Response.json([await request.text(), request.bodyUsed]);
export const send = 'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\nConnection: close\r\n\r\ntext';
export const expected = 'a body of ["text",true]';
export const isRight = (received) => received.includes('["text",true]');
