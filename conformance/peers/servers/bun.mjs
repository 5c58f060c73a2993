export function serve(fetch, port) {
  Bun.serve({ fetch: (request) => fetch(request), port, hostname: '127.0.0.1' });
}
