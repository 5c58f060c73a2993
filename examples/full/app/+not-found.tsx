import { Link } from 'appkit-router';

export default function NotFound() {
  return (
    <main>
      <title>Not found</title>
      <h1>There is no such page</h1>
      <Link href="/">Home</Link>
    </main>
  );
}
