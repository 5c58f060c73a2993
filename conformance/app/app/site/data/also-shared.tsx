import { useLoaderData } from 'appkit-router';
import { notes } from '../../../lib/shared/notes.ts';

/** The value that another page has stored. */
export function loader(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? '';
  return { note: String(notes.get(`${id} of the page`)) };
}

export default function AlsoShared() {
  return <p>{`note ${useLoaderData<typeof loader>().note}`}</p>;
}
