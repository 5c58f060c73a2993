/** The server sends a Blob with its type (Fetch, extract a body). */
export const fetch = () => new Response(new Blob(['blob'], { type: 'text/x-blob' }));
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'Content-Type: text/x-blob';
export const isRight = (received) => /^content-type: text\/x-blob\r$/im.test(received);
