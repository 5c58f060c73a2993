import type { ReactNode } from 'react';

/** The client shows it in place of a failed page if the app has no `ErrorBoundary` for it. */
export function DefaultError(): ReactNode {
  return (
    <main>
      <h1>Something went wrong</h1>
      <p>Please try again.</p>
    </main>
  );
}
