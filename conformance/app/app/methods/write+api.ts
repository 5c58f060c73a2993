export function POST(): Response {
  return new Response('POST');
}

export function DELETE(): Response {
  return new Response('DELETE');
}
