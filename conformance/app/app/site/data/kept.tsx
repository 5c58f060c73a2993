import { useLoaderData } from 'appkit-router';
import { setResponseHeaders } from 'appkit-server';

export function loader() {
  setResponseHeaders({ 'cache-control': 'public, max-age=60' });
  return 'kept';
}

export default function Kept() {
  return <p>{useLoaderData<typeof loader>()}</p>;
}
