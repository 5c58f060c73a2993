import { Link, Slot } from 'appkit-router';
import './style.css';

export default function Layout() {
  return (
    <>
      <Link href="/items/1">One</Link>
      <Slot />
    </>
  );
}
