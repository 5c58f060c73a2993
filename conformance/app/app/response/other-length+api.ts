/** Answers with a changed text and the length of the original, as when the headers of another answer are copied. */
export function GET(): Response {
  return new Response('changed', { headers: { 'content-length': '8' } });
}
