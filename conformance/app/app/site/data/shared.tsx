import { useLoaderData } from 'appkit-router';
import half from '../../../lib/shared/words.cjs';
import describe, { notes, Ticket } from '../../../lib/shared/notes.ts';
import { isVisited } from '../../../lib/shared/visits.ts';

/** The value that a route has stored, and a value for a route to find. */
export async function loader(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? '';
  const found = notes.get(id);
  const later = await import('../../../lib/shared/notes.ts');
  notes.set(`${id} of the page`, describe(id));
  const words = half.said(id);
  return { isTicket: found instanceof Ticket, isSameLater: later.notes === notes, words, visited: isVisited(id) };
}

export default function Shared() {
  const { isTicket, isSameLater, words, visited } = useLoaderData<typeof loader>();
  return <p>{`ticket ${isTicket}, later ${isSameLater}, words ${words}, visited ${visited}`}</p>;
}
