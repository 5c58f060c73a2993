import { usePathname } from 'appkit-router';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

/** A list of pages: next to the article if there is room, otherwise above it behind a button. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const pathname = usePathname();
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className="menu" data-open={isOpen || undefined}>
      <button type="button" aria-expanded={isOpen} aria-controls="menu" onClick={() => setOpen(!isOpen)}>
        {label}
      </button>
      <nav className="contents" id="menu" aria-label={label}>
        {children}
      </nav>
    </div>
  );
}
