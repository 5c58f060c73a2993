import { Link, useLoaderData } from 'appkit-router';
import { PageHead } from '../../components/page-head.tsx';
import { listGuide } from '../../server/guide.ts';

export async function loader() {
  return { chapters: await listGuide() };
}

export default function Guide() {
  const { chapters } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="narrow">
      <PageHead title="Guide" description="How to write routes and pages with appkit, run them and host them." />
      <h1>Guide</h1>
      {chapters.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul className="cards">
            {pages.map((page) => (
              <li key={page.slug}>
                <Link href={`/guide/${page.slug}`}>{page.title}</Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
