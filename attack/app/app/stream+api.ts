/** As many numbered parts as requested, each with the token of the request; if requested, the body fails after them. */
export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get('token') ?? '';
  const parts = Number(searchParams.get('parts'));
  const encoder = new TextEncoder();
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (sent < parts) controller.enqueue(encoder.encode(`${token} ${sent++}\n`));
      else if (searchParams.has('fails')) controller.error(new Error('the stream failed'));
      else controller.close();
    },
  });
  return new Response(body);
}
