import { Suspense, use } from 'react';
import { useLocalSearchParams } from 'appkit-router';
import { waitFor } from '../../lib/signals.ts';

const parts = new Map<string, Promise<unknown>>();

// A loader, so that it is rendered on request.
export function loader(): null {
  return null;
}

function Last({ id }: { id: string }) {
  let part = parts.get(id);
  if (!part) parts.set(id, (part = waitFor(id)));
  use(part);
  return <p>The last part</p>;
}

export default function Streamed() {
  const { id } = useLocalSearchParams();
  return (
    <main>
      <h1>The first part</h1>
      <Suspense fallback={<p>Waiting</p>}>
        <Last id={String(id)} />
      </Suspense>
    </main>
  );
}
