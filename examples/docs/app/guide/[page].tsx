import { Link, useLoaderData } from 'appkit-router';
import { Menu } from '../../components/menu.tsx';
import { NavLink } from '../../components/nav-link.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PageSource } from '../../components/page-source.tsx';
import { Prose } from '../../components/prose.tsx';
import { Sections } from '../../components/sections.tsx';
import { listGuide, readGuidePage } from '../../server/guide.ts';

export async function generateStaticParams() {
  return (await listGuide()).flatMap(({ pages }) => pages.map(({ slug }) => ({ page: slug })));
}

export function loader(request: Request, { page = '' }: Record<string, string>) {
  return readGuidePage(page);
}

export default function GuidePage() {
  const { title, description, html, file, editLink, sections, chapters, previous, next } =
    useLoaderData<typeof loader>();
  return (
    <div className="columns">
      <PageHead title={title} description={description} />
      <Menu label="Guide">
        {chapters.map((chapter) => (
          <div key={chapter.title}>
            <p>{chapter.title}</p>
            <ul>
              {chapter.pages.map((page) => (
                <li key={page.slug}>
                  <NavLink href={`/guide/${page.slug}`}>{page.title}</NavLink>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Menu>
      <main id="content">
        <Prose html={html} />
        <PageSource file={file} editLink={editLink} />
        <nav className="neighbours" aria-label="Previous and next page">
          {previous && (
            <Link href={`/guide/${previous.slug}`} rel="prev">
              <small>Previous</small> {previous.title}
            </Link>
          )}
          {next && (
            <Link href={`/guide/${next.slug}`} rel="next">
              <small>Next</small> {next.title}
            </Link>
          )}
        </nav>
      </main>
      <Sections sections={sections} />
    </div>
  );
}
