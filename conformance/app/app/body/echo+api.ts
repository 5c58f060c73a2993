/** Gives the body back as it is. */
export function POST(request: Request): Response {
  return new Response(request.body);
}

/** Gives the body back, and begins to read it when the answer is being read. */
export function PUT(request: Request): Response {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new Response(
    new ReadableStream(
      {
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          reader ??= request.body?.getReader();
          const read = await reader?.read();
          if (read === undefined || read.done) controller.close();
          else controller.enqueue(read.value);
        },
      },
      { highWaterMark: 0 },
    ),
  );
}
