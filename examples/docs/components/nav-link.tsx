import { Link, usePathname } from 'appkit-router';
import type { ReactNode } from 'react';

/** A link that says when it leads to the page that is shown, or to what that page is a part of. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const pathname = usePathname().replace(/(?<=.)\/$/, '');
  const current = pathname === href ? 'page' : pathname.startsWith(`${href}/`) ? 'true' : undefined;
  return (
    <Link href={href} aria-current={current}>
      {children}
    </Link>
  );
}
