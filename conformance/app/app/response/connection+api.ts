export function GET(): Response {
  const headers = {
    'keep-alive': 'timeout=1234',
    'proxy-connection': 'close',
    te: 'trailers',
    trailer: 'x-late',
    upgrade: 'h2c',
    'x-kept': 'yes',
  };
  return new Response('kept apart', { headers });
}
