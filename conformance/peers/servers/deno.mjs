export function serve(fetch, port) {
  Deno.serve({ port, hostname: '127.0.0.1', onListen() {} }, (request) => fetch(request));
}
