import { useLoaderData } from 'appkit-router';
import { Suspense, use } from 'react';
import { waitFor } from '../../../lib/signals.ts';

/** Its later part follows once the signal named in the query is recorded. */
export function loader(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? '';
  const later = waitFor(id).then(() => new Map([['part', 'The later part']]));
  return { early: 'The early part', later };
}

function Later() {
  return <p>{use(useLoaderData<typeof loader>().later).get('part')}</p>;
}

export default function Promised() {
  return (
    <>
      <h1>{useLoaderData<typeof loader>().early}</h1>
      <Suspense fallback="Waiting">
        <Later />
      </Suspense>
    </>
  );
}
