import { useLoaderData } from 'appkit-router';
import { cache } from 'appkit-server';
import { query } from '../../../lib/query.ts';
import { record, valueOf } from '../../../lib/signals.ts';

export function loader(request: Request): { number: number; seen: string } {
  cache({ maxAge: 600 });
  const counter = `${query(request, 'id')}-made`;
  const number = Number(valueOf(counter)) + 1;
  record(counter, String(number));
  const isLooking = new URL(request.url).searchParams.has('looks');
  return { number, seen: isLooking ? String(request.headers.get('cookie')) : 'nothing' };
}

export default function Cached() {
  const { number, seen } = useLoaderData<typeof loader>();
  return <p>{`number ${number}, seen ${seen}`}</p>;
}
