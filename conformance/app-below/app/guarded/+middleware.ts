export const config = { matcher: { patterns: ['/guarded'] } };

/** Runs for one path. It is not at the top, where it would enter the context of every request. */
export default function middleware(): Response {
  return new Response('guarded', { status: 401 });
}
