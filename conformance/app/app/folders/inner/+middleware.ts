import { locals, setResponseHeaders } from 'appkit-server';

/** Says what has run before it. */
export default function middleware(): void {
  locals().trail?.push('inner');
  setResponseHeaders({ 'x-trail': String(locals().trail) });
}
