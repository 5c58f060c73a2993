export const config = { matcher: { patterns: ['/guarded/[...path]'] } };

export default function middleware(): Response {
  return new Response('no entry', { status: 401 });
}
