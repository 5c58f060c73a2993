import { useLoaderData } from 'appkit-router';
import { cache, StatusError } from 'appkit-server';
import { query } from '../../../lib/query.ts';
import { record, valueOf } from '../../../lib/signals.ts';

interface Data {
  number: number;
  seen: string;
  part?: Promise<never>;
}

export function loader(request: Request): Data {
  cache({ maxAge: 600 });
  const counter = `${query(request, 'id')}-made`;
  const number = Number(valueOf(counter)) + 1;
  record(counter, String(number));
  const { searchParams } = new URL(request.url);
  const seen = searchParams.has('looks') ? String(request.headers.get('cookie')) : 'nothing';
  return { number, seen, ...(searchParams.has('fails') && { part: fail() }) };
}

// The client receives it, so onError is not called.
async function fail(): Promise<never> {
  throw new StatusError(404, 'There is no such part.');
}

export default function Cached() {
  const { number, seen } = useLoaderData<typeof loader>();
  return <p>{`number ${number}, seen ${seen}`}</p>;
}
