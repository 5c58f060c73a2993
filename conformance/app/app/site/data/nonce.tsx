import { useLoaderData } from 'appkit-router';
import { nonce, setResponseHeaders } from 'appkit-server';
import { Suspense, use } from 'react';
import { waitFor } from '../../../lib/signals.ts';

export function loader(request: Request) {
  setResponseHeaders({ 'content-security-policy': `script-src 'nonce-${nonce()}'` });
  return { later: waitFor(new URL(request.url).searchParams.get('id') ?? '').then(() => 'Later') };
}

function Later() {
  return <p>{use(useLoaderData<typeof loader>().later)}</p>;
}

export default function Page() {
  return (
    <Suspense fallback="Waiting">
      <Later />
    </Suspense>
  );
}
