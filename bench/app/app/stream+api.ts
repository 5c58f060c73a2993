const chunk = new Uint8Array(64 * 1024).fill(97);

export async function GET(): Promise<Response> {
  let sent = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        controller.enqueue(chunk);
        if (++sent === 16) controller.close();
      },
    }),
  );
}
