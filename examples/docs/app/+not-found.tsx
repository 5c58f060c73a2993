import { Link } from 'appkit-router';
import { PageHead } from '../components/page-head.tsx';

export default function NotFound() {
  return (
    <main id="content" className="narrow">
      <PageHead
        title="Not found"
        description="This page of appkit's documentation does not exist. The guide lists all pages."
      />
      <h1>There is no such page</h1>
      <p>
        It may have moved. <Link href="/guide">The guide</Link> lists all of its pages.
      </p>
    </main>
  );
}
