import { serve as listen } from '@hono/node-server';

export function serve(fetch, port) {
  listen({ fetch, port, hostname: '127.0.0.1' });
}
