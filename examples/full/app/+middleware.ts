import { setResponseHeaders } from 'appkit-server';

/** Runs before every page and route. It lets the request pass by returning nothing. */
export default function middleware(): void {
  setResponseHeaders({ 'x-content-type-options': 'nosniff' });
}
