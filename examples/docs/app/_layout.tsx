import { Link, Slot, useIsNavigating } from 'appkit-router';
import { version } from 'appkit-router/package.json';
import { useCopyButtons } from '../components/copy-code.ts';
import { NavLink } from '../components/nav-link.tsx';
import './style.css';

export default function Layout() {
  useCopyButtons();
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top" data-navigating={useIsNavigating() || undefined}>
        <Link className="brand" href="/">
          <img src="/favicon.svg" alt="" width="24" height="24" />
          <span>appkit</span>
        </Link>
        <nav aria-label="Site">
          <NavLink href="/guide">Guide</NavLink>
          <NavLink href="/api">API</NavLink>
          <NavLink href="/hosts">Hosts</NavLink>
          <NavLink href="/benchmarks">Benchmarks</NavLink>
          <NavLink href="/search">Search</NavLink>
        </nav>
      </header>
      <Slot />
      <footer className="bottom">
        <p>
          <Link href="/versioning">appkit {version}</Link>. MIT licence. This site is <code>examples/docs</code>: HTML
          files that <code>appkit export</code> has written.
        </p>
      </footer>
    </>
  );
}
