export default function middleware(): Response {
  return new Response('no entry', { status: 401 });
}
