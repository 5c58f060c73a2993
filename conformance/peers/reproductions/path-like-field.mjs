/** The server gives form fields whose names look like paths (Fetch, Body.formData()). */
export const fetch = async (request) => Response.json([...(await request.formData())]);
export const send =
  'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 17\r\nConnection: close\r\n\r\nlist[]=1&list[]=2';
export const expected = 'a body of [["list[]","1"],["list[]","2"]]';
export const isRight = (received) => received.includes('[["list[]","1"],["list[]","2"]]');
