import { H3, serve as listen } from 'h3';

export function serve(fetch, port) {
  const app = new H3();
  app.all('/**', (event) => fetch(event.req));
  listen(app, { port, hostname: '127.0.0.1', silent: true });
}
