import { useLoaderData } from 'appkit-router';
import { cache } from 'appkit-server';
import { copyBy } from '../../../lib/copies.ts';
import type { Seen } from '../../../lib/copies.ts';
import { query } from '../../../lib/query.ts';

export async function loader(request: Request): Promise<Seen> {
  cache({ maxAge: 600 });
  return copyBy(query(request, 'way'), request);
}

export default function KeptCopy() {
  const { user, cookie } = useLoaderData<typeof loader>();
  return <p>{`user ${user}, cookie ${cookie}`}</p>;
}
