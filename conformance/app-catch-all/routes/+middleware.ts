import { origin, setResponseHeaders } from 'appkit-server';

export const unstable_settings = { matcher: { methods: ['GET', 'POST'] } };

/** Runs for every path. */
// oxlint-disable-next-line import/no-default-export -- middleware is the default export of its file
export default function middleware(request: Request): void {
  setResponseHeaders({ 'x-middleware-url': request.url, 'x-middleware-origin': String(origin()) });
}
