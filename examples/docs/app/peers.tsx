import { useLoaderData } from 'appkit-router';
import { PageHead } from '../components/page-head.tsx';
import { PageSource } from '../components/page-source.tsx';
import { Prose } from '../components/prose.tsx';
import { readDocument } from '../server/document.ts';

export function loader() {
  return readDocument('peers.md');
}

export default function Peers() {
  const { title, html, file, editLink } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="wide">
      <PageHead
        title={title}
        description="Which behaviours of HTTP and Fetch other servers show, asked by the same tool, and what no standard requires."
      />
      <Prose html={html} />
      <PageSource file={file} editLink={editLink} />
    </main>
  );
}
