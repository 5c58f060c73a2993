import { useLoaderData } from 'appkit-router';
import { PageHead } from '../components/page-head.tsx';
import { PageSource } from '../components/page-source.tsx';
import { Prose } from '../components/prose.tsx';
import { readDocument } from '../server/document.ts';

export function loader() {
  return readDocument('versioning.md');
}

export default function Versioning() {
  const { title, description, html, file, editLink } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="wide">
      <PageHead title={title} description={description} />
      <Prose html={html} />
      <PageSource file={file} editLink={editLink} />
    </main>
  );
}
