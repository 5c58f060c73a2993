import { setResponseHeaders } from 'appkit-server';

/** Runs before every page and route. Returning nothing lets the request pass. */
export default function middleware(): void {
  setResponseHeaders({ 'x-content-type-options': 'nosniff' });
}
