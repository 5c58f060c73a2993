import { Link, Slot } from 'appkit-router';
import './style.css';

export default function Layout() {
  return (
    <>
      <link rel="icon" href="/favicon.svg" />
      <header>
        <Link href="/">Home</Link> <Link href="/greetings/ada">Ada</Link> <Link href="/greetings/grace">Grace</Link>
      </header>
      <Slot />
    </>
  );
}
