import { remember } from 'conformance-cjs-words';
import { count } from 'conformance-esm-words';
import { notes, Ticket } from '../../lib/shared/notes.ts';
import { visit } from '../../lib/shared/visits.ts';
import words from '../../lib/shared/words.cjs';
import { query } from '../../lib/query.ts';

/** Stores a value for another route and a loader to find. */
export function POST(request: Request): Response {
  notes.set(query(request, 'id'), new Ticket());
  visit(query(request, 'id'));
  words.say(query(request, 'id'));
  remember(query(request, 'id'));
  return Response.json({ count: count() });
}
