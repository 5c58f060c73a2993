/** 16 MiB as a stream of 64 KiB pieces, each filled with its number. */
export function GET(): Response {
  let sent = 0;
  return new Response(
    new ReadableStream({
      pull(controller) {
        if (sent === 256) return controller.close();
        controller.enqueue(new Uint8Array(64 * 1024).fill(sent));
        sent += 1;
      },
    }),
  );
}
