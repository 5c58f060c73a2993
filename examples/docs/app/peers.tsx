import { useLoaderData } from 'appkit-router';
import { Matrix } from '../components/matrix.tsx';
import { PageHead } from '../components/page-head.tsx';
import { PageSource } from '../components/page-source.tsx';
import { Prose } from '../components/prose.tsx';
import { readPeers } from '../server/peers.ts';

export function loader() {
  return readPeers();
}

export default function Peers() {
  const { title, html, matrix, file, editLink } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="wide">
      <PageHead
        title={title}
        description="Which behaviours of HTTP and Fetch other servers show, tested by the same tool, and which behaviours no standard requires."
      />
      <Prose html={html} />
      <h2>Behaviour by behaviour</h2>
      <p>Point at a behaviour that a server does not show to see why.</p>
      <Matrix of="peer" matrix={matrix} />
      <PageSource file={file} editLink={editLink} />
    </main>
  );
}
