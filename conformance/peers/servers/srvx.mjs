import { serve as listen } from 'srvx';

export function serve(fetch, port) {
  listen({ fetch, port, hostname: '127.0.0.1', silent: true });
}
