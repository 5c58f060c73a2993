/** The server gives a blob the type of the request (Fetch, Body.blob()). */
export const fetch = async (request) => new Response((await request.blob()).type);
export const send =
  'POST / HTTP/1.1\r\nHost: a.test\r\nContent-Type: text/x-own\r\nContent-Length: 1\r\nConnection: close\r\n\r\na';
export const expected = 'a body of text/x-own and nothing else';
export const isRight = (received) => /\r\n\r\n(?:a\r\n)?text\/x-own(?:\r\n|$)/.test(received);
