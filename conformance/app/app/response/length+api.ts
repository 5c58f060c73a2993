/** A stream whose length the route knows. */
export function GET(): Response {
  return new Response(streamOf('eleven byte'), { headers: { 'content-length': '11' } });
}

/** A route that says less than it sends. */
export function POST(): Response {
  return new Response(streamOf('ab', 'HTTP/1.1 200 OK\r\n\r\n'), { headers: { 'content-length': '2' } });
}

/** A HEAD handler says how long the body of a GET would be. */
export function HEAD(): Response {
  return new Response(null, { headers: { 'content-length': '11', 'x-head': 'yes' } });
}

function streamOf(...parts: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
}
