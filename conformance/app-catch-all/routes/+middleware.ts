import { origin, setResponseHeaders } from 'appkit-server';

export const unstable_settings = { matcher: { methods: ['GET', 'POST'] } };

/** Runs for every path. */
export default function middleware(request: Request): void {
  setResponseHeaders({ 'x-middleware-url': request.url, 'x-middleware-origin': String(origin()) });
}
