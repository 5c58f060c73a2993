/** The server leaves the body to an answer that reads it later (Fetch, Body.body). */
export const fetch = (request) => {
  let reader;
  const body = {
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      reader ??= request.body.getReader();
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  };
  return new Response(new ReadableStream(body, { highWaterMark: 0 }));
};
export const send = 'PUT / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\nConnection: close\r\n\r\nthere';
export const expected = 'HTTP/1.1 200 and a body of "there"';
export const isRight = (received) => received.startsWith('HTTP/1.1 200') && received.includes('there');
