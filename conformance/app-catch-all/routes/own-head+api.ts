export function GET(): Response {
  return new Response('GET');
}

export function HEAD(): Response {
  return new Response(null, { headers: { 'x-own': 'HEAD' } });
}
