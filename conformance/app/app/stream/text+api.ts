/** A stream made with the platform's own transform, and an empty one with `?empty`. */
export function GET(request: Request): Response {
  const empty = new URL(request.url).searchParams.has('empty');
  const words = new ReadableStream<string>({
    start(controller) {
      if (!empty) for (const word of ['one ', 'two ', 'three']) controller.enqueue(word);
      controller.close();
    },
  });
  return new Response(words.pipeThrough(new TextEncoderStream()));
}
