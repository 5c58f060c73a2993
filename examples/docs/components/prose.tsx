import { router } from 'appkit-router';
import type { MouseEvent } from 'react';

/** HTML that a loader has rendered. Links to other pages of this site show them without loading a new document. */
export function Prose({ html }: { html: string }) {
  return <div className="prose" onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />;
}

function follow(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  // With a key or another button, a link opens elsewhere. The browser itself handles links within this page.
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.origin !== location.origin || link.pathname === location.pathname) return;
  event.preventDefault();
  router.push(link.pathname + link.search + link.hash);
}
