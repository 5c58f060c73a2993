import { Link, usePathname } from 'appkit-router';
import type { ReactNode } from 'react';

/** A link that is marked when it leads to the current page, or to a section that contains the current page. */
export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const pathname = usePathname().replace(/(?<=.)\/$/, '');
  const current = pathname === href ? 'page' : pathname.startsWith(`${href}/`) ? 'true' : undefined;
  return (
    <Link href={href} aria-current={current}>
      {children}
    </Link>
  );
}
