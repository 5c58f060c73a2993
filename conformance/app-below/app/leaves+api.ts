/** The app's own redirect, to a path without the base. */
export function GET(): Response {
  return new Response(null, { status: 303, headers: { location: '/hello' } });
}
