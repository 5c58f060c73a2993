/** Answers with a Response whose stream other code has taken. */
export function GET(): Response {
  const response = new Response(new ReadableStream({ pull: (controller) => controller.close() }));
  response.body?.getReader();
  return response;
}
