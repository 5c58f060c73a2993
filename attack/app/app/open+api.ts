/** A text that stays open after its first part, until the client leaves. */
export function GET(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('It goes on. '.repeat(100))),
  });
  return new Response(body, { headers: { 'content-type': 'text/plain' } });
}
