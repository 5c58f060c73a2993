import { Link, useLoaderData } from 'appkit-router';
import { Suspense, use } from 'react';

export const hydrate = false;

export function loader() {
  return { text: 'Nothing moves', later: new Promise<string>((resolve) => setTimeout(resolve, 1, 'The last part')) };
}

function Later() {
  return <p>{use(useLoaderData<typeof loader>().later)}</p>;
}

export default function Still() {
  return (
    <main>
      <h1>{useLoaderData<typeof loader>().text}</h1>
      <Link href="/site">Site</Link>
      <Suspense fallback="Waiting">
        <Later />
      </Suspense>
    </main>
  );
}
