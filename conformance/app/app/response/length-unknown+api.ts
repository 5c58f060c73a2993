/** A stream that begins after its answer. */
export function GET(): Response {
  let isOver = false;
  const stream = new ReadableStream({
    async pull(controller) {
      await new Promise((resume) => setTimeout(resume, 20));
      if (isOver) controller.close();
      else controller.enqueue(new TextEncoder().encode('late'));
      isOver = true;
    },
  });
  return new Response(stream, { headers: { 'x-head': 'yes' } });
}

export { GET as HEAD };
