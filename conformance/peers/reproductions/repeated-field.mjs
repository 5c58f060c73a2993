/** The server gives every value of a repeated form field (Fetch, Body.formData()). */
export const fetch = async (request) => Response.json([...(await request.formData())]);
export const send =
  'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\nConnection: close\r\n\r\na=1&a=2&b=3';
export const expected = 'a body of [["a","1"],["a","2"],["b","3"]]';
export const isRight = (received) => received.includes('[["a","1"],["a","2"],["b","3"]]');
