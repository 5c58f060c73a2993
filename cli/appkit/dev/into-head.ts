const END = '</head>';

/** Inserts markup at the end of a document's head, without waiting for the rest of the document. */
export function insertIntoHead({ status, headers, body }: Response, markup: string): Response {
  if (body === null || markup === '') return new Response(body, { status, headers });
  let before: string | undefined = '';
  const insert = new TransformStream<string, string>({
    transform(chunk, controller) {
      if (before === undefined) return controller.enqueue(chunk);
      before += chunk;
      const end = before.indexOf(END);
      if (end === -1) return;
      controller.enqueue(before.slice(0, end) + markup + before.slice(end));
      before = undefined;
    },
    flush(controller) {
      if (before !== undefined) controller.enqueue(before);
    },
  });
  const inserted = body.pipeThrough(new TextDecoderStream()).pipeThrough(insert).pipeThrough(new TextEncoderStream());
  return new Response(inserted, { status, headers });
}
