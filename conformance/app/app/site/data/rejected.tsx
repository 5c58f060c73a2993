import { useLoaderData } from 'appkit-router';
import { Suspense, use } from 'react';

export function loader(): { failing: Promise<string> } {
  return { failing: Promise.reject(new Error('a secret of the promise')) };
}

function Failing() {
  return use(useLoaderData<typeof loader>().failing);
}

export default function Rejected() {
  return (
    <Suspense fallback={<h1>Waiting</h1>}>
      <Failing />
    </Suspense>
  );
}
