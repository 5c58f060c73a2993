/** A redirect of the app's own, to a path without the base. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: '/hello' } });
}
