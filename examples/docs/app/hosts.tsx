import { Link, useLoaderData } from 'appkit-router';
import { HostTable } from '../components/host-table.tsx';
import { Matrix } from '../components/matrix.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Prose } from '../components/prose.tsx';
import { readHosts } from '../server/hosts.ts';

export function loader() {
  return readHosts();
}

export default function Hosts() {
  const { hosts, matrix, notes } = useLoaderData<typeof loader>();
  return (
    <main id="content" className="wide">
      <PageHead
        title="Hosts"
        description="Which behaviours of appkit were shown on which host, over HTTP, and why a host has gaps."
      />
      <h1>Hosts</h1>
      <p>
        Every behaviour is tested over HTTP against the host itself, with an app that the packed CLI exported and the
        packed appkit-server serves. <Link href="/peers">Peers</Link> are servers of other projects, tested for the
        behaviours that every HTTP and Fetch server should show.
      </p>
      <HostTable hosts={hosts} />
      <h2>Behaviour by behaviour</h2>
      <p>
        A <b className="ok">✓</b> is a behaviour that was shown. A <b className="gap">gap</b> is one that the host
        cannot show: point at it to see why. All reasons are listed <a href="#gaps">below</a>. A <b>—</b> is one that{' '}
        <a href="#not-applicable">does not apply</a>. An empty cell means not run.
      </p>
      <Matrix of="host" matrix={matrix} />
      <Prose html={notes} />
    </main>
  );
}
