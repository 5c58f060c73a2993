export const config = { matcher: { patterns: ['/guarded'] } };

/** Runs for one path. */
export default function middleware(): Response {
  return new Response('guarded', { status: 401 });
}
