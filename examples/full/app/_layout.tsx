import { Link, Slot } from 'appkit-router';
import type { ErrorBoundaryProps } from 'appkit-router';
import type { ReactNode } from 'react';
import './style.css';

export default function Layout() {
  return (
    <Frame>
      <Slot />
    </Frame>
  );
}

/** Shown for an error in any page without a boundary of its own. */
export function ErrorBoundary({ error, retry }: ErrorBoundaryProps) {
  return (
    <Frame>
      <main>
        <title>Something went wrong</title>
        <h1>{error instanceof Error ? error.message : 'Something went wrong'}</h1>
        <button onClick={retry}>Try again</button>
      </main>
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <link rel="icon" href="/favicon.svg" />
      <header>
        <Link href="/">Home</Link> <Link href="/greetings/ada">Ada</Link> <Link href="/greetings/grace">Grace</Link>{' '}
        <Link href="/guestbook">Guestbook</Link> <Link href="/members">Members</Link>
      </header>
      {children}
    </>
  );
}
