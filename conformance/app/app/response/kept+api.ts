/** Sends the headers about its connection that another server has sent, as a proxy does that copies all headers. */
export function GET(): Response {
  return new Response('kept', { headers: { connection: 'Keep-Alive, x-hop', 'x-kept': 'yes' } });
}
