import { remembers } from 'conformance-cjs-words';
import { count } from 'conformance-esm-words';
import { notes, Ticket } from '../../lib/shared/notes.ts';
import { query } from '../../lib/query.ts';

/** The value that another route, or middleware, has stored. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  const note = notes.get(id);
  const later = await import('../../lib/shared/notes.ts');
  return Response.json({
    note: note ?? null,
    isTicket: note instanceof Ticket,
    isSameLater: later.notes === notes,
    remembers: remembers(id),
    count: count(),
  });
}
