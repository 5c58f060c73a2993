/** The server invents no content-type for a stream (quality). */
export const fetch = () => new Response(ReadableStream.from(['one ', 'two']).pipeThrough(new TextEncoderStream()));
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'no Content-Type';
export const isRight = (received) => received !== '' && !/^content-type:/im.test(received);
