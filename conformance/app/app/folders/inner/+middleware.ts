import { locals, setResponseHeaders } from 'appkit-server';

/** Reports the middleware that ran before it. */
export default function middleware(): void {
  locals().trail?.push('inner');
  setResponseHeaders({ 'x-trail': String(locals().trail) });
}
