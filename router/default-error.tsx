import type { ReactNode } from 'react';

/** Shown by the client in place of what has failed where the app has no `ErrorBoundary` for it. */
export function DefaultError(): ReactNode {
  return (
    <main>
      <h1>Something went wrong</h1>
      <p>Please try again.</p>
    </main>
  );
}
