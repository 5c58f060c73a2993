import type { ReactNode } from 'react';

/** Shown by the client in place of a failed page if the app has no `ErrorBoundary` for it, or no `+not-found`. */
export function DefaultError({ error }: { error: unknown }): ReactNode {
  const isNotFound = (error as { status?: unknown } | null | undefined)?.status === 404;
  return (
    <main>
      <h1>{isNotFound ? 'Not found' : 'Something went wrong'}</h1>
      {!isNotFound && <p>Please try again.</p>}
    </main>
  );
}
